/** A two-way line of text messages: MessagePort, WebSocket, local socket or in-process pair. */

export interface Channel {
  readonly send: (text: string) => void
  readonly onMessage: (receive: (text: string) => void) => void
  readonly onClose: (closed: () => void) => void
  readonly close: () => void
}
