/** HTTP requests against a server on this machine: what is sent, what is made of the answer, what is refused. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { leavesUnknownEffect } from '../../../src-engine/model/unknown-effect.ts'
import { createEchoService } from '../../../src-engine/runtime/echo-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const echo = createEchoService({ clock: systemClock })
const names: Record<string, string> = {
  'here.example': '127.0.0.1',
  'other.example': '127.0.0.1',
  'public.example': '93.184.215.14',
}
const task = createHttpRequestRun({
  lookup: async (name) => (names[name] === undefined ? [] : [{ address: names[name], family: 4 }]),
  evaluate: async () => null,
})
let server: Server
let port = 0
let arrived: string[] = []

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://x')
  arrived.push(`${request.method} ${request.headers.host ?? ''}${url.pathname}`)
  const send = (status: number, headers: Record<string, string>, body: string | Buffer = '') => {
    response.writeHead(status, headers)
    response.end(body)
  }
  const text = { 'content-type': 'text/plain' }
  const packed = 'z'.repeat(5_000)
  const known: Record<string, () => void> = {
    '/text': () => send(200, text, 'hi'),
    '/json': () => send(200, { 'content-type': 'application/problem+json; charset=utf-8' }, '\uFEFF{"a":1}'),
    '/broken-json': () => send(200, { 'content-type': 'application/json' }, '{'),
    '/binary': () => send(200, { 'content-type': 'image/png' }, Buffer.from([0, 255])),
    '/plain': () => send(200, {}, 'no type'),
    '/empty': () => send(204, {}),
    '/gzip': () => send(200, { ...text, 'content-encoding': 'gzip' }, gzipSync(packed)),
    '/deflate': () => send(200, { ...text, 'content-encoding': 'deflate' }, deflateSync(packed)),
    '/br': () => send(200, { ...text, 'content-encoding': 'br' }, brotliCompressSync(packed)),
    '/bomb': () => send(200, { ...text, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(20_000_000))),
    '/odd-packing': () => send(200, { ...text, 'content-encoding': 'lz99' }, 'x'),
    '/bad-packing': () => send(200, { ...text, 'content-encoding': 'gzip' }, 'x'),
    '/headers': () =>
      send(
        200,
        { 'content-type': 'application/json' },
        JSON.stringify({ method: request.method, ...request.headers }),
      ),
    '/hang': () => {},
    '/cut': () => request.socket.destroy(),
    '/endless': () => {
      response.writeHead(200, text)
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    },
    '/loop': () => send(302, { location: '/loop' }),
    '/nowhere': () => send(302, { location: 'http://10.0.0.1/secret' }),
    '/file': () => send(302, { location: 'file:///etc/passwd' }),
  }
  const redirect = /^\/redirect\/(\d+)$/.exec(url.pathname)?.[1]
  const status = /^\/status\/(\d+)$/.exec(url.pathname)?.[1]
  if (redirect !== undefined) send(Number(redirect), { location: url.searchParams.get('to') ?? '/headers' })
  else if (status !== undefined) send(Number(status), text, `status ${status}`)
  else (known[url.pathname] ?? (() => send(404, text, 'nothing here')))()
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await echo.close()
})

const at = (path: string, host = 'here.example') => `http://${host}:${port}${path}`
const context = (parts: Partial<TaskContext> = {}) =>
  taskContext({ approvedHosts: ['here.example', 'other.example'], echoService: echo.baseUrl, ...parts })
async function send(raw: JsonObject, parts: Partial<TaskContext> = {}): Promise<JsonObject> {
  arrived = []
  const outcome = await task.execute(httpRequestSpec.parameters.parse(raw), context(parts))
  return outputOf(outcome) as JsonObject
}

describe('the answer', () => {
  test.for<[string, JsonObject, JsonValue]>([
    ['/text', {}, 'hi'],
    ['/json', {}, { a: 1 }],
    ['/broken-json', {}, '{'],
    ['/binary', {}, 'AP8='],
    ['/plain', {}, 'no type'],
    ['/text', { response: 'base64' }, 'aGk='],
    ['/json', { response: 'text' }, '{"a":1}'],
    ['/empty', {}, ''],
    ['/empty', { response: 'json' }, null],
    ['/gzip', {}, 'z'.repeat(5_000)],
    ['/deflate', {}, 'z'.repeat(5_000)],
    ['/br', {}, 'z'.repeat(5_000)],
  ])('%s %o', async ([path, raw, body]) => {
    const output = await send({ url: at(path), ...raw })
    expect(
      typeof output['body'] === 'string' ? output['body'].replace(/^\uFEFF/, '') : output['body'],
    ).toEqual(body)
    expect(output).toMatchObject({
      url: at(path),
      headers: expect.objectContaining({ date: expect.any(String) }),
    })
  })

  test.for<[string, JsonObject, string, boolean]>([
    ['/status/404', {}, 'http_status', false],
    ['/status/429', {}, 'http_status', true],
    ['/status/503', {}, 'http_status', true],
    ['/text', { successCodes: '201, 300-399' }, 'http_status', false],
    ['/json', { response: 'json', maxResponseBytes: 3 }, 'http_too_large', false],
    ['/endless', { maxResponseBytes: 100_000 }, 'http_too_large', false],
    ['/bomb', {}, 'http_too_large', false],
    ['/text', { response: 'json' }, 'task_failed', false],
    ['/odd-packing', {}, 'task_failed', false],
    ['/bad-packing', {}, 'task_failed', false],
    ['/cut', {}, 'http_unreachable', true],
    ['/loop', {}, 'http_unreachable', false],
    ['/nowhere', {}, 'http_address_denied', false],
    ['/file', {}, 'task_input_invalid', false],
    ['/hang', { timeoutMs: 30 }, 'task_timeout', true],
    ['/text', { headers: { 'bad header': 'x' } }, 'task_input_invalid', false],
    ['/text', { headers: { a: 'x\r\ny: z' } }, 'task_input_invalid', false],
  ])('%s %o: %s', async ([path, raw, code, retryable]) => {
    expect(await thrownBy(() => send({ url: at(path), ...raw }))).toMatchObject({ code, retryable })
  })

  test('a status that counts as success', async () => {
    expect(await send({ url: at('/status/404'), successCodes: '200-299, 404' })).toMatchObject({
      status: 404,
      body: 'status 404',
    })
  })

  test('an error says what was asked and how it was answered, without the query', async () => {
    const failure = await thrownBy(() => send({ url: at('/status/503'), query: { key: 'secret' } }))
    expect(failure).toMatchObject({
      message: `GET http://here.example:${port}/status/503 was answered with 503 Service Unavailable.`,
      details: { status: 503, body: 'status 503' },
    })
  })

  test.for([
    ['POST', '/cut', true],
    ['POST', '/status/500', true],
    ['POST', '/status/502', true],
    ['DELETE', '/bomb', true],
    ['POST', '/odd-packing', true],
    ['POST', '/status/503', false],
    ['POST', '/status/409', false],
    ['POST', '/nowhere', false],
    ['GET', '/cut', false],
    ['GET', '/status/500', false],
  ] as const)('%s %s leaves open whether it was done: %s', async ([method, path, isOpen]) => {
    const thrown = await thrownBy(() => send({ method, url: at(path) }))
    expect(leavesUnknownEffect(recordOfThrown(thrown))).toBe(isOpen)
  })

  test('nobody listens', async () => {
    const failure = await thrownBy(() => send({ method: 'POST', url: 'http://here.example:1/' }))
    expect(failure).toMatchObject({ code: 'http_unreachable', details: { host: 'here.example:1' } })
    expect(leavesUnknownEffect(recordOfThrown(failure))).toBe(false)
  })

  test('cancel ends a request that hangs', async () => {
    const controller = new AbortController()
    const cancelled = thrownBy(() => send({ url: at('/hang') }, { signal: controller.signal }))
    controller.abort()
    expect(await cancelled).toMatchObject({ code: 'task_cancelled' })
  })

  test('a name server that never answers is given up in time', async () => {
    const hung = createHttpRequestRun({ lookup: () => new Promise(() => {}), evaluate: async () => null })
    const parameters = httpRequestSpec.parameters.parse({ url: 'http://slow.example/', timeoutMs: 20 })
    expect(await thrownBy(() => hung.execute(parameters, context()))).toMatchObject({ code: 'task_timeout' })
  })
})

describe('what is sent', () => {
  const sent = async (raw: JsonObject) => {
    const { body } = await send({ url: 'http://echo.sagasmith.internal/orders', ...raw })
    return body as { method: string; path: string; query: JsonObject; headers: JsonObject; body: JsonValue }
  }

  test.for<[JsonObject, JsonValue, string | undefined]>([
    [{ kind: 'none' }, null, undefined],
    [{ kind: 'json', value: { a: [1, null] } }, { a: [1, null] }, 'application/json'],
    [{ kind: 'json', value: 'text' }, 'text', 'application/json'],
    [{ kind: 'form', fields: { a: 'x y', b: 2 } }, 'a=x+y&b=2', 'application/x-www-form-urlencoded'],
    [{ kind: 'text', text: '<a/>', contentType: 'application/xml' }, '<a/>', 'application/xml'],
  ])('body %o', async ([body, expected, type]) => {
    const request = await sent({ method: 'POST', body })
    expect(request.body).toEqual(expected)
    expect(request.headers['content-type']).toBe(type)
  })

  test('query and headers', async () => {
    const request = await sent({
      url: 'http://echo.sagasmith.internal/a?b=1#c',
      query: { d: 'x&y', e: 2 },
      headers: { 'X-Mine': true },
    })
    expect(request).toMatchObject({
      method: 'GET',
      path: '/a',
      query: { b: '1', d: 'x&y', e: '2' },
      headers: { 'x-mine': 'true' },
    })
  })

  test('the idempotency key goes with whatever may change something', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await sent({ method })).headers['idempotency-key']).toBe('key-1')
    }
    expect((await sent({ method: 'GET' })).headers['idempotency-key']).toBeUndefined()
    const own = { method: 'POST', headers: { 'Idempotency-Key': 'mine' } }
    expect((await sent(own)).headers['idempotency-key']).toBe('mine')
  })

  test.for<[JsonObject, string, string | undefined]>([
    [{ kind: 'none' }, 'authorization', undefined],
    [
      { kind: 'basic', username: 'a', password: 'ü:' },
      'authorization',
      `Basic ${Buffer.from('a:ü:').toString('base64')}`,
    ],
    [{ kind: 'bearer', token: 't' }, 'authorization', 'Bearer t'],
    [{ kind: 'api-key', name: 'X-Key', value: 'k' }, 'x-key', 'k'],
  ])('sign in %o', async ([auth, name, value]) => {
    const { body } = await send({ url: at('/headers'), auth })
    expect((body as JsonObject)[name]).toBe(value)
  })

  test('an API key in the address, and none of it in the log', async () => {
    const probe = context()
    const auth = { kind: 'api-key', placement: 'query', name: 'key', value: 'sesame' }
    const raw = { url: 'http://echo.sagasmith.internal/x', auth }
    const output = outputOf(await task.execute(httpRequestSpec.parameters.parse(raw), probe))
    expect(output).toMatchObject({ body: { query: { key: 'sesame' } } })
    expect(probe.lines).toHaveLength(1)
    expect(probe.lines.join()).not.toContain('sesame')
  })

  test('HEAD has no body either way', async () => {
    expect(await send({ method: 'HEAD', url: at('/text'), body: { kind: 'text', text: 'x' } })).toMatchObject(
      { status: 200, body: '' },
    )
  })
})

describe('redirects', () => {
  const credentials = {
    headers: { Cookie: 'c=1', 'X-Mine': 'x' },
    auth: { kind: 'api-key', name: 'X-Own-Key', value: 'k' },
  }
  const redirected = async (status: number, to: string, raw: JsonObject = {}) =>
    (await send({ url: at(`/redirect/${status}`), query: { to }, ...raw }))['body'] as JsonObject

  test.for<[number, string, string]>([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
    [301, 'PUT', 'PUT'],
    [302, 'GET', 'GET'],
  ])('%i turns %s into %s', async ([status, method, expected]) => {
    const body = await redirected(status, '/headers', { method, body: { kind: 'text', text: 'x' } })
    expect(body['method']).toBe(expected)
    expect(body['content-type']).toBe(expected === 'GET' ? undefined : 'text/plain')
    expect(body['idempotency-key']).toBe(expected === 'GET' ? undefined : 'key-1')
  })

  test('credentials stay with the host they were for', async () => {
    expect(await redirected(307, '/headers', credentials)).toMatchObject({
      cookie: 'c=1',
      'x-own-key': 'k',
      'x-mine': 'x',
    })
    const elsewhere = await redirected(307, at('/headers', 'other.example'), credentials)
    expect(elsewhere).toMatchObject({ 'x-mine': 'x' })
    expect(Object.keys(elsewhere)).not.toEqual(expect.arrayContaining(['cookie']))
    expect(elsewhere['x-own-key']).toBeUndefined()
    const bearer = { auth: { kind: 'bearer', token: 't' } }
    expect((await redirected(307, at('/headers', 'other.example'), bearer))['authorization']).toBeUndefined()
  })

  test('each hop is checked before anything is sent there', async () => {
    const work = () => send({ url: at('/redirect/302'), query: { to: at('/headers', 'third.example') } })
    names['third.example'] = '127.0.0.1'
    expect(await thrownBy(work)).toMatchObject({ code: 'http_address_denied' })
    expect(arrived).toEqual([`GET here.example:${port}/redirect/302`])
  })

  test('five are followed, and no more', async () => {
    await thrownBy(() => send({ url: at('/loop') }))
    expect(arrived).toHaveLength(6)
  })

  test('they can be left alone', async () => {
    const raw = { url: at('/loop'), followRedirects: false, successCodes: '302' }
    expect(await send(raw)).toMatchObject({ status: 302, headers: { location: '/loop' } })
  })
})

describe('the echo service', () => {
  test('hides what proves who somebody is', async () => {
    const { body } = await send({
      url: 'http://echo.sagasmith.internal/',
      auth: { kind: 'bearer', token: 'sesame' },
    })
    expect(JSON.stringify(body)).not.toContain('sesame')
  })
  test('answers with a status when asked to, and after a while', async () => {
    expect(await thrownBy(() => send({ url: 'http://echo.sagasmith.internal/status/503' }))).toMatchObject({
      code: 'http_status',
    })
    expect(await send({ url: 'http://echo.sagasmith.internal/delay?ms=5' })).toMatchObject({ status: 200 })
  })
})
