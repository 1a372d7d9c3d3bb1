/** Answers that come page after page: how the step goes on, where it stops, and where it is never led. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { nextLink } from '../../../src-engine/tasks/http-request/link-header.ts'
import { httpRequestMock } from '../../../src-engine/tasks/http-request/mock.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { SecretGuard, TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const expressions = createExpressionService({ clock: systemClock })
const task = createHttpRequestRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: expressions.evaluateOver,
})
let server: Server
let port = 0
let asked: string[] = []
let keys: string[] = []
let signedIn: string[] = []

/** Seven items, three a page. */
const all = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id }))
const json = { 'content-type': 'application/json' }

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as JsonObject)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://x')
  asked.push(`${request.method} ${url.pathname}${url.search}`)
  keys.push(String(request.headers['idempotency-key'] ?? ''))
  signedIn.push(String(request.headers.authorization ?? request.headers['x-api-key'] ?? ''))
  const send = (body: unknown, headers: Record<string, string> = {}, status = 200) => {
    response.writeHead(status, { ...json, ...headers })
    response.end(JSON.stringify(body))
  }
  const sent = await bodyOf(request)
  const from = Number(url.searchParams.get('after') ?? sent['after'] ?? url.searchParams.get('offset') ?? 0)
  const items = all.slice(from, from + 3)
  const after = from + 3 < all.length ? from + 3 : null
  const linkTo: Record<string, string> = {
    '/link': after === null ? '' : `</link?after=${after}>; rel="next", </link?after=0>; rel="first"`,
    '/to-file': '<file:///etc/passwd>; rel=next',
    '/to-private': '<http://10.0.0.1/secret>; rel=next',
    '/to-other': `<http://other.example:${port}/link?after=6>; rel=next`,
    '/in-circles': '</in-circles>; rel=next',
  }
  const { pathname } = url
  if (pathname in linkTo) send(items, { link: linkTo[pathname] ?? '' })
  else if (pathname === '/numbered') {
    const page = Number(url.searchParams.get('page') ?? 1) - 1
    send(all.slice(page * 3, page * 3 + 3))
  } else if (pathname === '/broken' && from > 0) send({ wrong: true }, {}, 503)
  else if (pathname === '/moved') send(null, { location: '/link?after=3' }, 302)
  else if (pathname === '/odd-cursor') send({ items, next: { a: 1 } })
  else if (pathname === '/one') send({ items: { id: 1 } })
  else if (pathname === '/list') send(items)
  else send({ items, next: after, nextUrl: after === null ? null : `?after=${after}` })
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await expressions.close()
})

const at = (path: string) => `http://here.example:${port}${path}`
const context = (parts: Partial<TaskContext> = {}) =>
  taskContext({ approvedHosts: ['here.example', 'other.example'], ...parts })
async function read(raw: JsonObject, parts: Partial<TaskContext> = {}): Promise<JsonObject> {
  asked = []
  keys = []
  signedIn = []
  const outcome = await task.execute(httpRequestSpec.parameters.parse(raw), context(parts))
  return outputOf(outcome) as JsonObject
}
const cursor = { kind: 'cursor', next: 'body.next', name: 'after', items: 'body.items' }

describe('every item of every page', () => {
  test.for<[string, JsonObject, readonly string[]]>([
    ['/cursor', cursor, ['/cursor', '/cursor?after=3', '/cursor?after=6']],
    [
      '/cursor?after=0',
      { ...cursor, next: '$exists(body.next) and body.next != null ? body.next' },
      ['/cursor?after=0', '/cursor?after=3', '/cursor?after=6'],
    ],
    [
      '/cursor',
      { ...cursor, next: 'body.nextUrl', sendAs: 'address' },
      ['/cursor', '/cursor?after=3', '/cursor?after=6'],
    ],
    ['/link', { kind: 'link' }, ['/link', '/link?after=3', '/link?after=6']],
    [
      '/numbered',
      { kind: 'number' },
      ['/numbered?page=1', '/numbered?page=2', '/numbered?page=3', '/numbered?page=4'],
    ],
    [
      '/numbered?page=1',
      { kind: 'number', size: 3 },
      ['/numbered?page=1', '/numbered?page=2', '/numbered?page=3'],
    ],
    [
      '/list',
      { kind: 'number', name: 'offset', start: 0, step: 3, size: 3 },
      ['/list?offset=0', '/list?offset=3', '/list?offset=6'],
    ],
  ])('%s %o', async ([path, pages, requests]) => {
    const output = await read({ url: at(path), pages })
    expect(asked).toEqual(requests.map((request) => `GET ${request}`))
    expect(output).toMatchObject({ status: 200, body: all, pages: requests.length, isCut: false })
  })

  test('the cursor in the body of a question; a server that knows the key tells the pages apart', async () => {
    const body = { kind: 'json', value: { ask: 'all' } }
    const pages = { ...cursor, sendAs: 'body' }
    const output = await read({ method: 'POST', url: at('/search'), body, pages })
    expect(output['body']).toEqual(all)
    expect(asked).toEqual(['POST /search', 'POST /search', 'POST /search'])
    expect(keys).toEqual(['key-1', 'key-1-2', 'key-1-3'])
  })

  test('links count from where a redirect led', async () => {
    expect(await read({ url: at('/moved'), pages: { kind: 'link' } })).toMatchObject({
      body: all.slice(3),
      url: at('/link?after=6'),
    })
  })

  test('a page with a single item that is no list', async () => {
    const pages = { ...cursor, next: 'body.none' }
    expect(await read({ url: at('/one'), pages })).toMatchObject({ body: [{ id: 1 }], pages: 1 })
    expect(await read({ url: at('/one'), pages: { ...pages, items: 'body.none' } })).toMatchObject({
      body: [],
    })
  })

  test('each page is told in the log, and what came of them', async () => {
    const probe = context()
    await task.execute(httpRequestSpec.parameters.parse({ url: at('/link'), pages: { kind: 'link' } }), probe)
    expect(probe.lines).toHaveLength(4)
    expect(probe.lines.at(-1)).toBe('task info 3 pages, 7 items')
  })
})

describe('where it stops', () => {
  test.for<[JsonObject, JsonObject, string, number]>([
    [{ maxPages: 2 }, { limit: 'pages', count: 2 }, 'There are more than 2 pages.', 6],
    [{ maxItems: 4 }, { limit: 'items', count: 4 }, 'The pages have more than 4 items.', 4],
    [{ maxItems: 3 }, { limit: 'items', count: 3 }, 'The pages have more than 3 items.', 3],
    [{ maxBytes: 50 }, { limit: 'bytes', count: 50 }, 'The pages have more than 50 bytes.', 3],
  ])('%o', async ([limit, details, message, kept]) => {
    const raw = { url: at('/link'), pages: { kind: 'link', ...limit } }
    const thrown = await thrownBy(() => read(raw))
    expect(thrown).toMatchObject({ code: 'http_too_many_pages', message, details, retryable: false })
    const output = await read({ ...raw, pages: { ...raw.pages, whenMore: 'cut' } })
    expect(output).toMatchObject({ body: all.slice(0, kept), isCut: true })
  })

  test('exactly as much as may be is not too much', async () => {
    const pages = { kind: 'link', maxPages: 3, maxItems: 7 }
    expect(await read({ url: at('/link'), pages })).toMatchObject({ pages: 3, isCut: false })
  })

  test('a server that leads in circles', async () => {
    const thrown = await thrownBy(() => read({ url: at('/in-circles'), pages: { kind: 'link' } }))
    expect(thrown).toMatchObject({ code: 'http_page_invalid', details: { page: 2 } })
    expect(asked).toHaveLength(2)
  })

  test.for<[string, JsonObject, string, string]>([
    ['/cursor', { kind: 'link' }, 'http_page_invalid', 'The answer is not a list'],
    ['/odd-cursor', cursor, 'http_page_invalid', 'The cursor of the next page'],
    ['/cursor', { ...cursor, sendAs: 'body' }, 'http_page_invalid', 'which is no JSON object'],
    ['/cursor', { ...cursor, next: '$nope(' }, 'expression_invalid', ''],
    ['/broken', cursor, 'http_status', 'Page 2: GET'],
  ])('%s %o: %s', async ([path, pages, code, message]) => {
    const thrown = await thrownBy(() => read({ url: at(path), pages }))
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('the time counts for each page, and a cancelled step asks for no more', async () => {
    const controller = new AbortController()
    const log: TaskContext['log'] = () => controller.abort()
    const thrown = await thrownBy(() =>
      read({ url: at('/link'), pages: { kind: 'link' } }, { signal: controller.signal, log }),
    )
    expect(thrown).toMatchObject({ code: 'task_cancelled' })
    expect(asked).toHaveLength(1)
  })
})

describe('where it is never led', () => {
  test.for([
    ['/to-private', 'http_address_denied'],
    ['/to-file', 'task_input_invalid'],
  ] as const)('%s: %s', async ([path, code]) => {
    const thrown = await thrownBy(() => read({ url: at(path), pages: { kind: 'link' } }))
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(/^Page 2: /), details: { page: 2 } })
    expect(asked).toHaveLength(1)
  })

  test.for<[JsonObject, string]>([
    [{ kind: 'bearer', token: 't' }, 'Bearer t'],
    [{ kind: 'api-key', value: 'k' }, 'k'],
  ])('another host gets no credentials: %o', async ([auth, sent]) => {
    await read({ url: at('/to-other'), auth, pages: { kind: 'link' } })
    expect(signedIn).toEqual([sent, ''])
    await read({ url: at('/link'), auth, pages: { kind: 'link' } })
    expect(signedIn).toEqual([sent, sent, sent])
  })

  test('a key that is a part of the address is added to what the server calls the next', async () => {
    const auth = { kind: 'api-key', placement: 'query', name: 'key', value: 'k' }
    await read({ url: at('/link'), auth, pages: { kind: 'link' } })
    expect(asked).toEqual(['GET /link?key=k', 'GET /link?after=3&key=k', 'GET /link?after=6&key=k'])
    await read({ url: at('/to-other'), auth, pages: { kind: 'link' } })
    expect(asked.at(-1)).toBe('GET /link?after=6')
  })

  test('a secret in the body stays with its host', async () => {
    const secrets: SecretGuard = {
      checkHost: (url, texts = []) => {
        if (url.hostname !== 'here.example' && texts.some((text) => text.includes('s3cret')))
          throw new Error('kept back')
      },
      add: () => {},
      isIn: (text) => text.includes('s3cret'),
      redact: (text) => text,
    }
    const body = { kind: 'json', value: { key: 's3cret' } }
    const raw = { method: 'POST', url: at('/to-other'), body, pages: { kind: 'link' } }
    await expect(read(raw, { secrets })).rejects.toThrow('kept back')
    expect(asked).toHaveLength(1)
  })
})

test.for([
  ['<https://a/?p=2>; rel="next"', 'https://a/?p=2'],
  ['</b?x=1,2>; title="a, b; rel=\\"next\\""; rel=last, </c>; REL=Next', '/c'],
  ['<a>; rel="prev next"', 'a'],
  ['<a>; rel="nextish"', null],
  ['<a>; rel="prev"; rel="next"', null],
  ['<a', null],
  ['', null],
] as const)('the next page of %s', ([header, target]) => {
  expect(nextLink(header)).toBe(target)
})

test('on mocks there is one page without items', () => {
  const parameters = httpRequestSpec.parameters.parse({ url: 'http://a.example/', pages: { kind: 'link' } })
  const output = { status: 200, headers: {}, body: [], pages: 1, isCut: false }
  expect(httpRequestMock(parameters, context())).toEqual({ kind: 'completed', output, ports: null })
})
