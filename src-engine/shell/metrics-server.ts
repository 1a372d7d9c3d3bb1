/** Serves the metrics of a process that serves nothing else. */

import type { Server } from 'node:http'
import { SagasmithError } from '../model/errors.ts'
import { nodeHttp } from '../runtime/node-http.ts'
import { metricsAnswer } from './metrics-page.ts'

export interface MetricsServerOptions {
  /** 0 lets the system choose. */
  readonly port: number
  /** The address to listen at; others than those of this machine are reached from outside. */
  readonly host: string
  /** What whoever reads must show. */
  readonly token: string
  readonly text: () => Promise<string>
}

export interface MetricsServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Listens. Throws `bad_request` when it can't. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const server = nodeHttp().createServer((request, response) => {
    const send = (status: number, headers: Readonly<Record<string, string>>, body: string): void => {
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...headers,
      })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (!/^\/metrics(?:[?#]|$)/.test(request.url ?? '')) return send(404, {}, 'There is only /metrics.\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(405, { allow: 'GET, HEAD' }, 'Only GET and HEAD are answered here.\n')
    }
    void metricsAnswer(options, options.token, request.headers.authorization).then(
      ({ status, headers, body }) => send(status, headers, body),
    )
  })
  const port = await listen(server, options)
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}/metrics`, close: () => close(server) }
}

function listen(server: Server, { port, host }: MetricsServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `The metrics can’t be served at ${host}:${port}: ${cause.message}.`
      const hint = 'Choose another --metrics-port, or 0 for a free one, and an address of this machine.'
      reject(new SagasmithError('bad_request', { message, hint, details: { port, host }, cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
