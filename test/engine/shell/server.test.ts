/** The browser shell as a stranger on the same machine sees it. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { blobBytesMax } from '../../../src-engine/model/limits.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import { webSocketChannel } from '../../../src-engine/shell/channels/web-socket.ts'
import type { EngineHost } from '../../../src-engine/shell/engine-host.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'
import type { RunningServer } from '../../../src-engine/shell/server.ts'
import { startServer } from '../../../src-engine/shell/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sagasmith-server-'))
let host: EngineHost
let server: RunningServer

beforeAll(async () => {
  const renderer = join(folder, 'renderer')
  mkdirSync(join(renderer, 'assets'), { recursive: true })
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><html><head><title>S</title></head></html>')
  writeFileSync(join(renderer, 'assets', 'app.js'), 'void 0')
  writeFileSync(join(folder, 'secret.json'), '"secret"')
  symlinkSync(join(folder, 'secret.json'), join(renderer, 'link.json'))
  host = await openEngineHost({ dataDir: join(folder, 'data'), role: 'serve', mode: 'work' })
  server = await startServer({ port: 0, renderer, serve: (...args) => void host.serve(...args) })
})

afterAll(async () => {
  await server.close()
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, headers, method }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8')
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The answer to a WebSocket handshake: `open`, or the status that refused it. */
function handshake(headers: Readonly<Record<string, string>>, path = '/engine'): Promise<'open' | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('unexpected-response', (_request, response) => {
      socket.on('error', () => undefined)
      socket.terminate()
      resolve(response.statusCode ?? 0)
    })
  })
}

const origin = (): string => `http://127.0.0.1:${server.port}`

function connect(token: string | null) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/engine`, { origin: origin() })
  return createClient(webSocketChannel(socket), { token })
}

test('the page comes with a strict policy, a fresh nonce and no cache', async () => {
  const [first, second] = [await get('/'), await get('/')]
  const nonceOf = ({ body }: Answer) => /<head><meta name="csp-nonce" content="([^"]+)">/.exec(body)?.[1]
  const policy = String(first.headers['content-security-policy'])
  expect(nonceOf(first)).toHaveLength(24)
  expect(nonceOf(first)).not.toBe(nonceOf(second))
  expect(policy).toContain(`style-src 'self' 'nonce-${nonceOf(first)}'`)
  expect(policy).not.toContain('unsafe')
  expect(first.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('assets are served with their type', async () => {
  const answer = await get('/assets/app.js')
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } })
})

test.for([
  '/../secret.json',
  '/..%2fsecret.json',
  '/%2e%2e/secret.json',
  '/%2e%2e%2fsecret.json',
  '/assets/../../secret.json',
  '/..%5csecret.json',
  '/link.json',
  '/secret.json%00.js',
  '/%',
  '/assets',
])('%s finds nothing', async (path) => {
  const { status, body } = await get(path)
  expect(status).toBe(404)
  expect(body).not.toContain('secret')
})

test.for([
  ['a foreign Host', { host: 'evil.example' }, 421],
  ['a rebound Host with our port', { host: 'evil.example:80' }, 421],
  ['a foreign Origin', { origin: 'http://evil.example' }, 403],
  ['an Origin of another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['a fetch of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  [
    'a frame in another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    403,
  ],
  [
    'a link on another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    200,
  ],
] as const)('%s is answered with its status', async ([, headers, status]) => {
  expect((await get('/', headers)).status).toBe(status)
})

test('nothing can be posted', async () => {
  expect((await get('/', {}, 'POST')).status).toBe(405)
})

test('a WebSocket needs our Origin, our Host and the right path', async () => {
  expect(await handshake({})).toBe(403)
  expect(await handshake({ origin: 'http://evil.example' })).toBe(403)
  expect(await handshake({ origin: origin(), host: 'evil.example' })).toBe(421)
  expect(await handshake({ origin: origin() }, '/other')).toBe(404)
  expect(await handshake({ origin: origin() })).toBe('open')
})

test.for([null, '', 'guess'])('the token %o opens nothing', async (token) => {
  await expect(connect(token).welcome).rejects.toMatchObject({ code: 'unauthorized' })
})

test('the token of the printed address opens the engine', async () => {
  const token = new URL(server.url).hash.replace('#t=', '')
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const client = connect(token)
  await expect(client.call('engine.info', {})).resolves.toMatchObject({ storeKind: 'sqlite' })
  client.close()
})

test('an input of 60 MB is refused by name, and the line stays usable', async () => {
  const client = connect(server.token)
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'w',
    title: 'W',
    nodes: { a: { kind: 'noop' } },
    edges: {},
  }
  const input = 'x'.repeat(blobBytesMax + 10_000_000)
  const start = client.call('runs.start', { document, input, baseDirectory: null, requestId: null })
  await expect(start).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(client.call('engine.info', {})).resolves.toMatchObject({ storeKind: 'sqlite' })
  client.close()
})

test('a port that is taken is named', async () => {
  const taken = startServer({ port: server.port, renderer: null, serve: () => undefined })
  await expect(taken).rejects.toMatchObject({ message: expect.stringContaining(String(server.port)) })
})

test('only this machine can connect', async () => {
  const outcome = await new Promise((resolve) => {
    const socket = net.connect(server.port, '127.0.0.2')
    socket.on('connect', () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  expect(outcome).toBe('ECONNREFUSED')
})
