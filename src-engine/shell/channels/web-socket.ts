/** A channel on a WebSocket of the `ws` package, at the server's end or at a client's. */

import type { WebSocket } from 'ws'
import type { Channel } from '../../protocol/channel.ts'
import { createInbox } from '../../protocol/channel-inbox.ts'

/** Wraps a socket that is open or about to open; what is sent before waits for it. */
export function webSocketChannel(socket: WebSocket): Channel {
  const inbox = createInbox()
  let queue: string[] | null = socket.readyState === socket.CONNECTING ? [] : null
  let closing = false
  socket.on('open', () => {
    for (const text of queue ?? []) socket.send(text)
    queue = null
    if (closing) socket.close()
  })
  // Text frames only: a binary one is not of this protocol, and reading it as text gives its clear refusal.
  socket.on('message', (data) => inbox.deliver(textOf(data)))
  socket.on('close', inbox.end)
  // An error is always followed by `close`, which says all that matters here.
  socket.on('error', () => undefined)
  return {
    send: (text) => {
      if (closing) return
      if (queue !== null) queue.push(text)
      else if (socket.readyState === socket.OPEN) socket.send(text)
    },
    onMessage: inbox.onMessage,
    onClose: inbox.onClose,
    close: () => {
      closing = true
      inbox.discard()
      // Closing a socket that isn't open yet would lose what waits for it.
      if (queue === null) socket.close()
    },
    pending: () => socket.bufferedAmount,
  }
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8')
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8')
}
