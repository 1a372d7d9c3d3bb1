/**
 * The browser shell: the built designer and the engine's channel over HTTP and WebSocket on loopback. Other
 * programs and pages of this machine can reach the port, so Host and Origin must be ours and the first frame
 * must carry the token, which travels in the fragment of the URL and so reaches no log and no Referer.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { SagasmithError } from '../model/errors.ts'
import { frameBytesMax } from '../model/limits.ts'
import type { Channel } from '../protocol/channel.ts'
import { nodeHttp } from '../runtime/node-http.ts'
import { isSystemError } from './atomic-file.ts'
import { webSocketChannel } from './channels/web-socket.ts'
import { metricsAnswer } from './metrics-page.ts'
import { staticAnswer } from './static-files.ts'

export interface ServerOptions {
  /** 0 lets the system choose. */
  readonly port: number
  /** Of a session that goes on; left out, a new one is made. */
  readonly token?: string
  /** The built designer; null when this installation has none. */
  readonly renderer: string | null
  /** What `/metrics` says, and a token besides the session's that may read it (and nothing else). */
  readonly metrics?: { readonly text: () => Promise<string>; readonly token: string }
  /** Serves one authenticated-by-token connection. */
  readonly serve: (channel: Channel, options: { readonly requireToken: string }) => void
}

export interface RunningServer {
  readonly port: number
  /** With the token in the fragment: whoever has it may do anything. */
  readonly url: string
  readonly token: string
  readonly close: () => Promise<void>
}

const host = '127.0.0.1'
/**
 * Messages up to here are read, so that one over the protocol's limit gets its clear refusal instead of a
 * dropped line; the protocol's characters are up to three bytes.
 */
const messageBytesMax = frameBytesMax * 3

const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Listens on 127.0.0.1. Throws `bad_request` when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const token = options.token ?? randomBytes(32).toString('base64url')
  const server = nodeHttp().createServer()
  const port = await listen(server, options.port)
  const origins = [`http://${host}:${port}`, `http://localhost:${port}`]
  const gate: Gate = { hosts: origins.map((origin) => new URL(origin).host), origins }
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
  })
  server.on('request', (request, response) => void answer({ request, response }, gate, { ...options, token }))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = refuseRequest(request, gate) ?? refuseUpgrade(request, gate)
    if (refusal !== null) return refuseSocket(socket, refusal)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      options.serve(webSocketChannel(webSocket), { requireToken: token })
    })
  })
  return { port, token, url: `http://${host}:${port}/#t=${token}`, close: () => closeServer(server, sockets) }
}

interface Gate {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

interface Refusal {
  readonly status: number
  readonly text: string
}

/** What every request must show: our own Host (else DNS was rebound to us), and no foreign Origin. */
function refuseRequest(request: IncomingMessage, gate: Gate): Refusal | null {
  if (!gate.hosts.includes(request.headers.host ?? '')) {
    return { status: 421, text: 'This address is not served here.' }
  }
  const { origin } = request.headers
  if (origin !== undefined && !gate.origins.includes(origin)) {
    return { status: 403, text: 'Another site may not use this engine.' }
  }
  const fetchSite = request.headers['sec-fetch-site'] ?? 'none'
  // A link elsewhere may open the page itself; it gets in no further, for it has no token.
  const isNavigation =
    request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document'
  if (fetchSite === 'same-origin' || fetchSite === 'none' || isNavigation) return null
  return { status: 403, text: 'Another site may not use this engine.' }
}

function refuseUpgrade(request: IncomingMessage, gate: Gate): Refusal | null {
  if (!gate.origins.includes(request.headers.origin ?? '')) {
    return { status: 403, text: 'A WebSocket must say where it comes from.' }
  }
  const { pathname } = new URL(request.url ?? '/', `http://${host}`)
  return pathname === '/engine' ? null : { status: 404, text: 'There is no such page.' }
}

async function answer(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  gate: Gate,
  { renderer, metrics, token }: ServerOptions & { readonly token: string },
): Promise<void> {
  const { request, response } = exchange
  const send = (status: number, headers: Readonly<Record<string, string>>, body: Buffer | string): void => {
    response.writeHead(status, { ...commonHeaders, ...headers })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  const refusal = refuseRequest(request, gate)
  if (refusal !== null) return send(refusal.status, plain, `${refusal.text}\n`)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(405, { ...plain, allow: 'GET, HEAD' }, 'Only GET and HEAD are answered here.\n')
  }
  if (metrics !== undefined && /^\/metrics(?:[?#]|$)/.test(request.url ?? '')) {
    const { status, headers, body } = await metricsAnswer(metrics, token, request.headers.authorization)
    return send(status, { ...plain, ...headers }, body)
  }
  if (renderer === null) return send(503, plain, 'The designer is not built: start it with `npm start`.\n')
  try {
    // The raw path: parsing it as a URL would resolve the dots that must be refused.
    const [path = '/'] = (request.url ?? '/').split(/[?#]/)
    const { status, headers, body } = await staticAnswer(renderer, path)
    send(status, headers, body)
  } catch {
    // A file that vanished or can't be read while the designer is being rebuilt.
    send(500, plain, 'The file could not be read.\n')
  }
}

function refuseSocket(socket: Duplex, { status, text }: Refusal): void {
  const body = `${text}\n`
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  // The far side may be gone already, and it is refused anyway.
  socket.on('error', () => undefined)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = isSystemError(error, 'EADDRINUSE')
      const message = isTaken
        ? `Port ${port} is taken by another program.`
        : `Port ${port} can’t be used: ${error.message}.`
      const hint = 'Choose another port with --port, or leave it out to get a free one.'
      reject(new SagasmithError('bad_request', { message, hint, details: { port }, cause: error }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}

function closeServer(server: Server, sockets: WebSocketServer): Promise<void> {
  return new Promise((resolve) => {
    for (const client of sockets.clients) client.close(1001)
    server.close(() => resolve())
    server.closeAllConnections()
    sockets.close()
    for (const client of sockets.clients) client.terminate()
  })
}
