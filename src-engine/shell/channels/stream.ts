/**
 * A channel on a byte stream (unix socket, named pipe): each message is its length in four bytes, big-endian,
 * and then its UTF-8.
 */

import type { Socket } from 'node:net'
import { frameBytesMax } from '../../model/limits.ts'
import type { Channel } from '../../protocol/channel.ts'
import { createInbox } from '../../protocol/channel-inbox.ts'

const headBytes = 4
/** A character of the protocol's texts is at most three bytes; a longer message is noise of another program. */
const messageBytesMax = frameBytesMax * 3

/** Wraps a connected socket. */
export function streamChannel(socket: Socket): Channel {
  const inbox = createInbox()
  const reader = createReader(inbox.deliver, () => socket.destroy())
  socket.on('data', reader)
  socket.on('end', () => socket.end())
  socket.on('close', inbox.end)
  // An error is always followed by `close`.
  socket.on('error', () => undefined)
  return {
    send: (text) => {
      if (!socket.writable) return
      const body = Buffer.from(text, 'utf8')
      const head = Buffer.allocUnsafe(headBytes)
      head.writeUInt32BE(body.length)
      socket.cork()
      socket.write(head)
      socket.write(body)
      socket.uncork()
    },
    onMessage: inbox.onMessage,
    onClose: inbox.onClose,
    close: () => {
      inbox.discard()
      socket.end()
    },
    pending: () => socket.writableLength,
  }
}

/** Cuts a stream of chunks into messages; `spoiled` is called once when the stream can't be one of ours. */
function createReader(deliver: (text: string) => void, spoiled: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let wanted: number | null = null
  const take = (length: number): Buffer => {
    const all = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    parts = all.length > length ? [all.subarray(length)] : []
    held -= length
    return all.subarray(0, length)
  }
  return (chunk) => {
    parts.push(chunk)
    held += chunk.length
    while (held >= (wanted ?? headBytes)) {
      if (wanted === null) {
        wanted = take(headBytes).readUInt32BE()
        if (wanted > messageBytesMax) return spoiled()
      } else {
        const body = take(wanted)
        wanted = null
        deliver(body.toString('utf8'))
      }
    }
  }
}
