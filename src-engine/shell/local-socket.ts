/** The local line to a running engine: a unix socket that only its owner may open, or a named pipe. */

import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Channel } from '../protocol/channel.ts'
import { streamChannel } from './channels/stream.ts'

/** `sun_path` has 104 bytes on macOS and 108 on Linux, the final zero included. */
const socketPathBytesMax = 103

/**
 * Where the engine of a data directory listens. `wanted` is the path in the directory; where that is too
 * long for the system, a short one in the temporary folder, named after it.
 */
export function localSocketPath(wanted: string): string {
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\sagasmith-${name}`
  if (Buffer.byteLength(wanted) <= socketPathBytesMax) return wanted
  const short = join(tmpdir(), `sagasmith-${name}.sock`)
  return Buffer.byteLength(short) <= socketPathBytesMax ? short : `/tmp/sagasmith-${name}.sock`
}

export interface LocalServer {
  readonly close: () => Promise<void>
}

/** Listens; whoever holds the data directory's lock may remove a socket that a dead engine left. */
export async function listenLocal(path: string, accept: (channel: Channel) => void): Promise<LocalServer> {
  const isFile = process.platform !== 'win32'
  if (isFile) rmSync(path, { force: true })
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    accept(streamChannel(socket))
  })
  // The mask covers the moment between bind and chmod.
  const mask = isFile ? process.umask(0o177) : null
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, () => resolve())
      if (mask !== null) process.umask(mask)
    })
  } finally {
    if (mask !== null) process.umask(mask)
  }
  if (isFile) chmodSync(path, 0o600)
  return { close: () => closeServer(server, sockets) }
}

/** Waits for what was sent to be read, but not for clients that don't read. */
function closeServer(server: net.Server, sockets: ReadonlySet<net.Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroySoon()
  })
}

/** Connects to an engine; null when nobody listens there. */
export function connectLocal(path: string): Promise<Channel | null> {
  return new Promise((resolve) => {
    const socket = net.connect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(streamChannel(socket))
    })
    socket.once('error', () => resolve(null))
  })
}
