/**
 * A web server on this machine that tells callers what they sent. It answers for the name
 * `echo.sagasmith.internal`, so that samples and first tries work without a network. Started at first use.
 *
 * `/status/503` answers with that status, `/delay?ms=200` takes its time; everything else answers at once.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Clock } from '../model/ports.ts'

export interface EchoService {
  /** The base URL; starts the server when it isn't running. */
  readonly baseUrl: () => Promise<string>
  readonly close: () => Promise<void>
}

const bodyBytesMax = 10_000_000
const delayMsMax = 60_000
const redactedHeaders = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token']

/** The service; nothing happens before somebody asks for its address. */
export function createEchoService(ports: { readonly clock: Clock }): EchoService {
  let started: Promise<Server> | null = null
  return {
    async baseUrl() {
      started ??= listen(ports.clock)
      const address = (await started).address()
      if (address === null || typeof address === 'string') throw new Error('the echo service has no port')
      return `http://127.0.0.1:${address.port}`
    },
    async close() {
      const server = await started
      started = null
      if (server === null) return
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function listen(clock: Clock): Promise<Server> {
  // Loaded when it is needed: it brings a whole web client with it.
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    answer(request, response, clock).catch(() => response.destroy())
  })
  // It must not keep a program alive that has nothing else to do.
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, clock: Clock): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://echo')
  const text = await bodyText(request)
  if (text === null) {
    response.writeHead(413).end()
    return
  }
  const delayMs = url.pathname === '/delay' ? Number(url.searchParams.get('ms') ?? 0) : 0
  if (delayMs > 0) await waited(clock, Math.min(delayMs, delayMsMax))
  const status = Number(/^\/status\/([2-5]\d\d)$/.exec(url.pathname)?.[1] ?? 200)
  const content = JSON.stringify({
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: readableHeaders(request),
    body: bodyOf(text, request.headers['content-type'] ?? ''),
  })
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(status === 204 || status === 304 ? undefined : content)
}

async function bodyText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function bodyOf(text: string, type: string): unknown {
  if (text === '') return null
  if (!type.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON after all: the text itself is the best answer.
    return text
  }
}

function readableHeaders(request: IncomingMessage): Readonly<Record<string, unknown>> {
  // The port differs from run to run and says nothing.
  const entries = Object.entries(request.headers).filter(([name]) => name !== 'host' && name !== 'connection')
  return Object.fromEntries(
    entries.map(([name, value]) => [name, redactedHeaders.includes(name) ? '•••' : value]),
  )
}

function waited(clock: Clock, span: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(span, resolve)
  })
}
