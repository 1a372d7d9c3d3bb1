/** A two-way line of text messages: MessagePort, WebSocket, local socket or in-process pair. */

/**
 * What every adapter promises: messages arrive whole, once and in order; what arrives before `onMessage`
 * was called waits for it; `onClose` is called exactly once, after the last message, also when the line was
 * closed before; sending on a closed line does nothing.
 */
export interface Channel {
  readonly send: (text: string) => void
  /** One receiver; a second call replaces the first. */
  readonly onMessage: (receive: (text: string) => void) => void
  readonly onClose: (closed: () => void) => void
  readonly close: () => void
  /** Characters or bytes that were sent and still wait on this side; absent where nobody knows. */
  readonly pending?: () => number
}
