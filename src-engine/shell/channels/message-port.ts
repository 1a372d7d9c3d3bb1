/** A channel on a MessagePort: of worker_threads, or Electron's between processes. */

import type { Channel } from '../../protocol/channel.ts'
import { createInbox } from '../../protocol/channel-inbox.ts'

/** What both kinds of port have in common. Electron's gives an event with `data`, Node's the value itself. */
export interface PortLike {
  readonly postMessage: (message: string) => void
  readonly on: (event: 'message' | 'close', listener: (value: unknown) => void) => unknown
  readonly start: () => void
  readonly close: () => void
}

/** Wraps a port and starts it. */
export function messagePortChannel(port: PortLike): Channel {
  const inbox = createInbox()
  port.on('message', (value) => {
    const text = dataOf(value)
    if (text !== null) inbox.deliver(text)
  })
  port.on('close', inbox.end)
  port.start()
  return {
    send: (text) => {
      if (!inbox.isEnded()) port.postMessage(text)
    },
    onMessage: inbox.onMessage,
    onClose: inbox.onClose,
    close: () => {
      inbox.discard()
      port.close()
    },
  }
}

function dataOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : null
  return typeof data === 'string' ? data : null
}
