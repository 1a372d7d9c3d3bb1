/** The listener by itself: which calls reach the engine, and how the others are refused. */

import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { webhookCallsAtOnceMax } from '../../../../src-engine/model/limits.ts'
import type { ListenedCall, ListenedRoute } from '../../../../src-engine/runtime/webhooks/listener-message.ts'
import type { WebListener } from '../../../../src-engine/runtime/webhooks/web-listener.ts'
import { createWebListener } from '../../../../src-engine/runtime/webhooks/web-listener.ts'
import type { FakeClock } from '../../shell/shell-fixtures.ts'
import { fakeClock } from '../../shell/shell-fixtures.ts'

const token = 'abcdefghijklmnopqrstuvwxyz012345'
const route: ListenedRoute = {
  tokenHash: createHash('sha256').update(token).digest('hex'),
  root: 'hooks',
  path: 'orders/new',
  method: 'POST',
  maxBodyBytes: 100,
  callsPerMinute: 60_000,
  answerTimeoutMs: 1_000,
}

interface Scene {
  readonly port: number
  readonly listener: WebListener
  readonly clock: FakeClock
  readonly calls: ListenedCall[]
  readonly gone: number[]
}

const scenes: Scene[] = []
afterEach(async () => {
  for (const { listener } of scenes.splice(0)) await listener.close()
})

interface SceneOptions {
  readonly routes?: readonly ListenedRoute[]
  /** What the engine answers; nothing when it says null. */
  readonly answers?: (call: ListenedCall) => { readonly status: number; readonly body: string } | null
  readonly headersTimeoutMs?: number
  readonly callTimeoutMs?: number
}

async function listening({ routes = [route], answers, ...timeouts }: SceneOptions = {}): Promise<Scene> {
  const clock = fakeClock()
  const calls: ListenedCall[] = []
  const gone: number[] = []
  const opened = Promise.withResolvers<number>()
  const listener = createWebListener({
    clock,
    ...timeouts,
    send: (report) => {
      if (report.kind === 'listening') opened.resolve(report.port)
      else if (report.kind === 'refused') opened.reject(new Error(report.message))
      else if (report.kind === 'gone') gone.push(report.id)
      else if (report.kind === 'call') {
        calls.push(report)
        const answer = answers === undefined ? { status: 202, body: 'taken' } : answers(report)
        if (answer !== null) listener.receive({ kind: 'answer', id: report.id, headers: {}, ...answer })
      }
    },
  })
  listener.receive({ kind: 'routes', routes })
  listener.receive({ kind: 'listen', host: '127.0.0.1', port: 0 })
  const scene = { port: await opened.promise, listener, clock, calls, gone }
  scenes.push(scene)
  return scene
}

const address = ({ port }: Scene, path = `/hooks/${token}/orders/new`): string =>
  `http://127.0.0.1:${port}${path}`

const post = (scene: Scene, body: string, path?: string): Promise<Response> =>
  fetch(address(scene, path), { method: 'POST', body })

it('hands a call of a known address on as it came, and answers what the engine says', async () => {
  const scene = await listening()
  const response = await fetch(`${address(scene)}?a=1&b=2`, {
    method: 'POST',
    body: '{"x": 1}',
    headers: { 'x-sum': 'abc', 'content-type': 'application/json' },
  })
  expect(response.status).toBe(202)
  expect(await response.text()).toBe('taken')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(scene.calls).toHaveLength(1)
  expect(scene.calls[0]).toMatchObject({
    tokenHash: route.tokenHash,
    method: 'POST',
    path: 'orders/new',
    query: 'a=1&b=2',
    headers: { 'x-sum': 'abc', 'content-type': 'application/json' },
    bodyBase64: Buffer.from('{"x": 1}').toString('base64'),
  })
})

it.each([
  ['another secret part', `/hooks/${'z'.repeat(32)}/orders/new`],
  ['another path', `/hooks/${token}/orders/old`],
  ['no path', `/hooks/${token}`],
  ['dots', `/hooks/${token}/../orders/new`],
  ['dots behind signs', `/hooks/${token}/%2e%2e/orders`],
  ['a short secret part', '/hooks/abc/orders/new'],
  ['the root', '/'],
  ['something else', '/metrics'],
])('tells nobody who guesses by %s more than that nothing is there', async (_, path) => {
  const scene = await listening()
  // `fetch` would tidy the dots away.
  const answer = await new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const call = request({ port: scene.port, host: '127.0.0.1', method: 'POST', path }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    call.once('error', reject)
    call.end('x')
  })
  expect(answer).toEqual({ status: 404, text: 'There is nothing here.\n' })
  expect(scene.calls).toEqual([])
})

it('has guessers wait after a while, and nobody else', async () => {
  const scene = await listening()
  const guess = () => post(scene, '', `/hooks/${'g'.repeat(32)}/orders/new`).then(({ status }) => status)
  const first: number[] = []
  for (let count = 0; count < 20; count += 1) first.push(await guess())
  expect(new Set(first)).toEqual(new Set([404]))
  expect(await guess()).toBe(429)
  expect((await post(scene, '')).status).toBe(202)
  scene.clock.advance(60_000)
  expect(await guess()).toBe(404)
})

it('refuses other methods, and says which it is', async () => {
  const scene = await listening()
  const response = await fetch(address(scene))
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect((await fetch(address(scene), { method: 'OPTIONS' })).status).toBe(405)
  expect(scene.calls).toEqual([])
})

it('refuses more than the address takes, told or not, and takes exactly that', async () => {
  const scene = await listening()
  expect((await post(scene, 'x'.repeat(100))).status).toBe(202)
  expect((await post(scene, 'x'.repeat(101))).status).toBe(413)
  const untold = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let count = 0; count < 3; count += 1) controller.enqueue(new Uint8Array(50))
      controller.close()
    },
  })
  const streamed = await fetch(address(scene), {
    method: 'POST',
    body: untold,
    duplex: 'half',
  } as RequestInit)
  expect(streamed.status).toBe(413)
  expect(scene.calls).toHaveLength(1)
})

it('refuses who asks first before the body is sent', async () => {
  const scene = await listening()
  const answer = await raw(
    scene,
    `POST /hooks/${token}/orders/new HTTP/1.1\r\nhost: x\r\ncontent-length: 101\r\nexpect: 100-continue\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(scene.calls).toEqual([])
})

it('takes bodies as they are: a compressed one could be any size', async () => {
  const scene = await listening()
  const response = await fetch(address(scene), {
    method: 'POST',
    body: 'x',
    headers: { 'content-encoding': 'gzip' },
  })
  expect(response.status).toBe(415)
})

it('hangs up on headers and on bodies that don’t come to an end', async () => {
  const scene = await listening({ headersTimeoutMs: 200, callTimeoutMs: 400 })
  expect(await raw(scene, 'POST /hooks/')).toMatch(/^HTTP\/1\.1 408 /)
  const slow = `POST /hooks/${token}/orders/new HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\nhalf`
  expect(await raw(scene, slow)).toMatch(/^HTTP\/1\.1 408 /)
  expect(scene.calls).toEqual([])
})

const head = `POST /hooks/${token}/orders/new HTTP/1.1\r\nhost: x\r\n`

it.each([
  ['two lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\nabc'],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['chunks under another name', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['a length that is none', 'content-length: +3\r\n\r\nabc'],
  ['a space before the colon', 'x-sum : 1\r\ncontent-length: 0\r\n\r\n'],
  ['a header on two lines', 'x-sum: 1\r\n 2\r\ncontent-length: 0\r\n\r\n'],
  ['a bare line feed', 'x-sum: 1\ny: 2\r\ncontent-length: 0\r\n\r\n'],
  ['a zero byte', 'x-sum: a\u0000b\r\ncontent-length: 0\r\n\r\n'],
  ['headers that are too long', `x-sum: ${'a'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`],
])('refuses %s: others on the way might read it in another way', async (_, rest) => {
  const scene = await listening()
  expect(await raw(scene, head + rest)).toMatch(/^HTTP\/1\.1 4(?:00|31) /)
  expect(scene.calls).toEqual([])
})

it.each([
  ['the signature', 'webhook-signature'],
  ['the password', 'authorization'],
  ['the content type', 'content-type'],
  ['the message’s id', 'webhook-id'],
])('refuses a call that has %s twice', async (_, name) => {
  const scene = await listening()
  const twice = `${head}${name}: one\r\n${name}: two\r\ncontent-length: 0\r\n\r\n`
  expect(await raw(scene, twice)).toMatch(/^HTTP\/1\.1 400 /)
  expect(scene.calls).toEqual([])
})

it('takes other headers twice, and none that would be more than a name', async () => {
  const scene = await listening()
  const more = 'x-tag: a\r\nx-tag: b\r\n__proto__: {}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
  expect(await raw(scene, head + more)).toMatch(/^HTTP\/1\.1 202 /)
  expect(scene.calls[0]?.headers['x-tag']).toBe('a, b')
  expect(Object.keys(scene.calls[0]?.headers ?? {})).not.toContain('__proto__')
})

it('hands on what follows a call on its line as a call of its own, under the same rules', async () => {
  const scene = await listening()
  const first = `${head}content-length: 0\r\n\r\n`
  const hidden = 'GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  const answers = await raw(scene, first + hidden)
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 404'])
  expect(scene.calls).toHaveLength(1)
})

it('leaves room for others whatever one caller holds open', async () => {
  const scene = await listening({ headersTimeoutMs: 300, callTimeoutMs: 300 })
  const held = Array.from({ length: 4 * webhookCallsAtOnceMax }, () => raw(scene, head).catch(() => 'cut'))
  await Promise.all(held)
  expect((await post(scene, '')).status).toBe(202)
  expect(scene.calls).toHaveLength(1)
})

it('limits how often one caller calls an address', async () => {
  const scene = await listening({ routes: [{ ...route, callsPerMinute: 2 }] })
  expect([(await post(scene, '')).status, (await post(scene, '')).status]).toEqual([202, 202])
  const third = await post(scene, '')
  expect(third.status).toBe(429)
  expect(third.headers.get('retry-after')).toBe('30')
  scene.clock.advance(30_000)
  expect((await post(scene, '')).status).toBe(202)
})

it('has no more calls at a time than it may, and takes others once those are answered', async () => {
  const scene = await listening({ answers: () => null })
  const waiting = Array.from({ length: webhookCallsAtOnceMax }, () => post(scene, ''))
  await expect.poll(() => scene.calls.length, { timeout: 10_000 }).toBe(webhookCallsAtOnceMax)
  const surplus = await post(scene, '')
  expect(surplus.status).toBe(503)
  for (const { id } of scene.calls) {
    scene.listener.receive({ kind: 'answer', id, status: 200, headers: {}, body: '' })
  }
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
  const later = post(scene, '')
  await expect.poll(() => scene.calls.length).toBe(webhookCallsAtOnceMax + 1)
  const last = scene.calls.at(-1)
  scene.listener.receive({ kind: 'answer', id: last?.id ?? 0, status: 200, headers: {}, body: '' })
  expect((await later).status).toBe(200)
})

it('answers in time although the engine doesn’t', async () => {
  const scene = await listening({ answers: () => null })
  const waiting = post(scene, '')
  await expect.poll(() => scene.calls.length).toBe(1)
  scene.clock.advance(6_000)
  expect((await waiting).status).toBe(504)
})

it('tells the engine that a caller has hung up', async () => {
  const scene = await listening({ answers: () => null })
  const controller = new AbortController()
  const waiting = fetch(address(scene), { method: 'POST', body: '', signal: controller.signal }).catch(
    () => 'hung up',
  )
  await expect.poll(() => scene.calls.length).toBe(1)
  controller.abort()
  expect(await waiting).toBe('hung up')
  await expect.poll(() => scene.gone).toEqual([scene.calls[0]?.id])
})

it('serves other addresses once it is told so', async () => {
  const scene = await listening()
  scene.listener.receive({ kind: 'routes', routes: [] })
  expect((await post(scene, '')).status).toBe(404)
})

/** What comes back for these bytes until the line is closed. */
function raw({ port }: Scene, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
}
