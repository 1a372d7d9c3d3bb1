/** A way to a server that can be disturbed: answers swallowed, connections cut. */

import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** From now on what the server says is lost, on all connections that there are; later ones are well. */
  readonly swallowAnswers: () => void
  /** Ends all connections. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

const host = '127.0.0.1'

/** Listens on a port of its own and passes everything on. */
export async function startProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<{ readonly client: Socket; swallows: boolean }>()
  const server = createServer((client) => {
    const pair = { client, swallows: false }
    const upstream = connect(target, host)
    pairs.add(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (!pair.swallows) client.write(bytes)
    })
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const cut = (): void => {
    for (const { client } of pairs) client.destroy()
  }
  return {
    port,
    cut,
    swallowAnswers() {
      for (const pair of pairs) pair.swallows = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
