/**
 * Listens for web calls. It hands on only what has a known address and keeps the limits, and answers what the
 * engine says; whether a call is believed is for the engine to say, which has the secrets.
 */

import { createHash } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { webhookBodyBytesMax, webhookCallsAtOnceMax } from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'
import { nodeHttp } from '../node-http.ts'
import type { CallGate } from './call-gate.ts'
import { createCallGate } from './call-gate.ts'
import type { CallbackName } from './callback-address.ts'
import { callbackReader, callbackRoot, readCallbackPath } from './callback-address.ts'
import type { AddressRoot, ListenedRoute, ListenerOrder, ListenerReport } from './listener-message.ts'
import { readBody } from './read-body.ts'

export interface WebListenerOptions {
  readonly clock: Clock
  readonly send: (report: ListenerReport) => void
  /** Callers who don't finish their headers or their call in time are hung up on. */
  readonly headersTimeoutMs?: number
  readonly callTimeoutMs?: number
}

export interface WebListener {
  readonly receive: (order: ListenerOrder) => void
  readonly close: () => Promise<void>
}

/** How often a caller may ask for what isn't there, before it hears that it asks too often. */
const missesPerMinute = 20
/** Beyond what the engine was given to answer: then it is gone or stuck. */
const graceMs = 5_000
const connectionsMax = 4 * webhookCallsAtOnceMax
const headersMax = 100
const callsPerConnectionMax = 100

/** Listens once the first order says where. */
export function createWebListener(options: WebListenerOptions): WebListener {
  const listening = new Listening(options)
  return { receive: (order) => listening.receive(order), close: () => listening.close() }
}

class Listening {
  readonly #options: WebListenerOptions
  readonly #gate: CallGate = createCallGate()
  readonly #misses: CallGate = createCallGate()
  readonly #open = new Map<number, ServerResponse>()
  #routes: ReadonlyMap<string, ListenedRoute> = new Map()
  #isCallback: (name: CallbackName) => boolean = () => false
  #server: Server | null = null
  #atOnce = 0
  #ids = 0

  constructor(options: WebListenerOptions) {
    this.#options = options
  }

  receive(order: ListenerOrder): void {
    if (order.kind === 'listen') this.#listen(order)
    else if (order.kind === 'routes') this.#serve(order)
    else if (order.kind === 'answer') this.#answer(order)
    else void this.close()
  }

  #serve({ routes, callbackKey = null }: Extract<ListenerOrder, { readonly kind: 'routes' }>): void {
    this.#routes = new Map(routes.map((one) => [one.tokenHash, one]))
    this.#isCallback = callbackKey === null ? () => false : callbackReader(callbackKey)
  }

  close(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return Promise.resolve()
    return new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  #listen({ host, port }: { readonly host: string; readonly port: number }): void {
    const { send, headersTimeoutMs = 10_000, callTimeoutMs = 30_000 } = this.#options
    const server = nodeHttp().createServer({
      headersTimeout: headersTimeoutMs,
      requestTimeout: callTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    })
    server.maxConnections = connectionsMax
    server.maxHeadersCount = headersMax
    server.maxRequestsPerSocket = callsPerConnectionMax
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#handle(request, response)
    server.on('request', handle)
    // Whoever asks first whether to send the body is answered by the same rules, before it is sent.
    server.on('checkContinue', handle)
    server.once('error', (error: NodeJS.ErrnoException) =>
      send({ kind: 'refused', code: error.code ?? 'unknown', message: error.message }),
    )
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) send({ kind: 'listening', port: address.port })
    })
    this.#server = server
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request.url ?? '/')
    const route = target === null ? undefined : this.#routeOf(target)
    const refusal = this.#refusalOf(request, target, route)
    if (refusal !== null) return refuse(response, refusal)
    if (target === null || route === undefined) return
    this.#atOnce += 1
    try {
      await this.#handOn({ request, response, route, target })
    } finally {
      this.#atOnce -= 1
    }
  }

  #routeOf(target: Target): ListenedRoute | undefined {
    if (target.callback === undefined) return this.#routes.get(target.tokenHash)
    return this.#isCallback(target.callback) ? { ...callbackRoute, tokenHash: target.tokenHash } : undefined
  }

  /** What is wrong before the body is read. */
  #refusalOf(
    request: IncomingMessage,
    target: Target | null,
    route: ListenedRoute | undefined,
  ): Refusal | null {
    const now = this.#options.clock.monotonic()
    const remote = request.socket.remoteAddress ?? ''
    // An address that is known but for its last part is as unknown as any other.
    if (target === null || route === undefined || route.path !== target.path || route.root !== target.root) {
      const wait = this.#misses.take({ caller: remote, perMinute: missesPerMinute, now })
      return wait === 0 ? refusals.unknown : tooOften(wait)
    }
    if (route.method !== null && request.method !== route.method)
      return { ...refusals.method, headers: { allow: route.method } }
    const caller = `${remote} ${route.tokenHash}`
    const wait = this.#gate.take({ caller, perMinute: route.callsPerMinute, now })
    if (wait > 0) return tooOften(wait)
    if (this.#atOnce >= webhookCallsAtOnceMax) return refusals.busy
    if (isAmbiguous(request)) return refusals.twice
    const encoding = request.headers['content-encoding'] ?? 'identity'
    return encoding === 'identity' ? null : refusals.encoded
  }

  async #handOn({ request, response, route, target }: Call): Promise<void> {
    if ('expect' in request.headers && Number(request.headers['content-length'] ?? 0) <= route.maxBodyBytes) {
      response.writeContinue()
    }
    const read = await readBody(request, route.maxBodyBytes)
    if (read.kind === 'too-large') return refuse(response, refusals.tooLarge)
    if (read.kind === 'broken') return
    this.#ids += 1
    const id = this.#ids
    this.#open.set(id, response)
    await new Promise<void>((resolve) => {
      const giveUp = this.#options.clock.after(route.answerTimeoutMs + graceMs, () =>
        refuse(response, refusals.late),
      )
      response.once('close', () => {
        giveUp()
        if (this.#open.delete(id)) this.#options.send({ kind: 'gone', id })
        resolve()
      })
      this.#options.send({
        kind: 'call',
        id,
        tokenHash: target.tokenHash,
        method: request.method ?? '',
        path: target.path,
        query: target.query,
        headers: flatHeaders(request),
        bodyBase64: read.body.toString('base64'),
        remote: request.socket.remoteAddress ?? '',
        ...(target.callback === undefined ? {} : { callback: target.callback }),
      })
    })
  }

  #answer(order: Extract<ListenerOrder, { readonly kind: 'answer' }>): void {
    const response = this.#open.get(order.id)
    if (response === undefined || !this.#open.delete(order.id)) return
    response.writeHead(order.status, { ...commonHeaders, ...order.headers })
    response.end(order.body)
  }
}

interface Target {
  /** The step that is called; absent for a trigger. */
  readonly callback?: CallbackName
  readonly root: AddressRoot | typeof callbackRoot
  readonly tokenHash: string
  readonly path: string
  readonly query: string
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: ListenedRoute
  readonly target: Target
}

/** What steps allow is asked once it is known which one is called. */
const callbackRoute: Omit<ListenedRoute, 'tokenHash'> = {
  root: callbackRoot,
  path: '',
  method: null,
  maxBodyBytes: webhookBodyBytesMax,
  callsPerMinute: 60,
  answerTimeoutMs: 30_000,
}

/** `/hooks/<secret part>/<path>`, the same of `/hooks-test`, or the address of a step; null for everything else. */
function targetOf(url: string): Target | null {
  const [address = '', query = ''] = url.split('?', 2)
  const callback = readCallbackPath(address)
  if (callback !== null) {
    const tokenHash = createHash('sha256').update(callback.name).digest('hex')
    return { callback, root: callbackRoot, tokenHash, path: '', query }
  }
  const parts = /^\/(hooks|hooks-test)\/([A-Za-z0-9_-]{22,128})\/([A-Za-z0-9/_-]{1,200})$/.exec(address)
  const [, root, token, path] = parts ?? []
  if (token === undefined || path === undefined) return null
  return {
    root: root === 'hooks' ? root : 'hooks-test',
    tokenHash: createHash('sha256').update(token).digest('hex'),
    path,
    query,
  }
}

/** Of which everybody on the way must read the same one: which of two counts is not for a stranger to choose. */
const saidOnce = [
  ...['host', 'content-type', 'content-length', 'authorization', 'webhook-id', 'webhook-timestamp'],
  ...['webhook-signature', 'x-hub-signature', 'x-hub-signature-256', 'stripe-signature'],
  ...['x-slack-signature', 'x-slack-request-timestamp'],
] as const

const isAmbiguous = ({ headersDistinct }: IncomingMessage): boolean =>
  saidOnce.some((name) => (headersDistinct[name]?.length ?? 0) > 1)

function flatHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

interface Refusal {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

const refusals = {
  unknown: { status: 404, text: 'There is nothing here.' },
  method: { status: 405, text: 'This address is called in another way.' },
  tooLarge: { status: 413, text: 'The body is larger than this address takes.' },
  twice: { status: 400, text: 'A header that says who calls, or what, came twice.' },
  encoded: { status: 415, text: 'Bodies are taken as they are, not compressed.' },
  busy: { status: 503, text: 'Too many calls at a time.', headers: { 'retry-after': '1' } },
  late: { status: 504, text: 'No answer came in time.' },
} as const satisfies Readonly<Record<string, Refusal>>

const tooOften = (seconds: number): Refusal => ({
  status: 429,
  text: 'Too many calls.',
  headers: { 'retry-after': String(seconds) },
})

const commonHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The line is closed: what is left of the body isn't read. */
function refuse(response: ServerResponse, { status, text, headers = {} }: Refusal): void {
  if (response.headersSent) return
  response.writeHead(status, {
    ...commonHeaders,
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...headers,
  })
  response.end(`${text}\n`)
}
