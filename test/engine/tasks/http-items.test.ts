/** Answers that are taken item by item, while they come. */

import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { httpRequestMock } from '../../../src-engine/tasks/http-request/mock.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const task = createHttpRequestRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: async () => null,
})
let server: Server
let base = ''
/** What the next request gets. */
let answer: (response: ServerResponse) => unknown = () => null
const encodings: unknown[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    encodings.push(request.headers['accept-encoding'])
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://here.example:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const parsed = (raw: JsonObject) =>
  httpRequestSpec.parameters.parse({ url: `${base}/`, response: 'items', ...raw })

async function get(raw: JsonObject, parts: Partial<TaskContext> = {}): Promise<JsonObject> {
  const context = taskContext({ approvedHosts: ['here.example'], ...parts })
  return outputOf(await task.execute(parsed(raw), context)) as JsonObject
}

/** Sends bytes in pieces of a length, as one body of that type. */
const inPieces =
  (type: string, text: string, length: number) =>
  async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': type })
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += length) {
      await new Promise((resolve) => response.write(bytes.subarray(at, at + length), resolve))
    }
    response.end()
  }

const events = 'text/event-stream'
const jsonLines = 'application/x-ndjson'

describe('the items of an answer', () => {
  test.for<[string, string, string, readonly unknown[]]>([
    ['lines of JSON', jsonLines, '{"a":"ü"}\r\n\n[1]\n"x"', [{ a: 'ü' }, [1], 'x']],
    ['lines of text', 'text/plain', '\uFEFFä€😀\r\n\nlast\n', ['ä€😀', '', 'last']],
    [
      'server-sent events',
      events,
      ': hi\n\ndata: {"n":1}\n\nevent: tick\nid: 7\ndata: a\ndata:  b\n\nretry: 5\ndata\n\nevent: none\n\ndata:5\n',
      [
        { event: 'message', data: { n: 1 }, id: null },
        { event: 'tick', data: 'a\n b', id: '7' },
        { event: 'message', data: '', id: '7' },
        { event: 'message', data: 5, id: '7' },
      ],
    ],
    [
      'events with other line breaks',
      'text/event-stream; charset=utf-8',
      'data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n',
      [1, 2, 3].map((data) => ({ event: 'message', data, id: null })),
    ],
  ])('are %s, however they are cut on the way', async ([, type, text, expected]) => {
    for (const length of [1, 3, 1_000]) {
      answer = inPieces(type, text, length)
      expect(await get({})).toMatchObject({ status: 200, body: expected, isCut: false })
    }
    expect(new Set(encodings)).toEqual(new Set(['identity']))
  })

  test('are of the form that is asked for, whatever the server says', async () => {
    answer = inPieces('text/plain', '1\n2\n', 9)
    expect(await get({ itemForm: 'json' })).toMatchObject({ body: [1, 2] })
    expect(await get({ itemForm: 'text' })).toMatchObject({ body: ['1', '2'] })
    answer = inPieces('text/plain', 'data: 1\n\n', 9)
    expect(await get({ itemForm: 'events' })).toMatchObject({ body: [{ data: 1 }] })
  })

  test('are in the log while more come, and what is long is cut there without half of a secret', async () => {
    let send: (text: string) => void = () => {}
    answer = (response) => {
      response.writeHead(200, { 'content-type': jsonLines })
      send = (text) => response.write(text)
      send('{"step":1}\n')
    }
    const told: string[] = []
    const canary = 'canary-4711-secret'
    const secrets = {
      checkHost: () => {},
      add: () => {},
      isIn: () => false,
      redact: (text: string) => text.replaceAll(canary, '…'),
    }
    const context = {
      secrets,
      log: ({ text }: { readonly text: string }) => {
        told.push(text)
        // The next is sent once the one before was seen: nothing waits for the end.
        if (text === '{"step":1}') send(`"${'x'.repeat(3_990)}${canary}${'y'.repeat(100)}"\n`)
        if (text.startsWith('"xxx')) send('"[DONE]"\n"never"\n')
      },
    }
    const output = await get({ lastItem: '"[DONE]"' }, context)
    expect(output).toMatchObject({ isCut: false })
    expect(output['body']).toHaveLength(2)
    const long = told.find((text) => text.startsWith('"xxx')) ?? ''
    expect(long).toMatch(/…$/)
    expect(long).not.toContain('canary')
    expect(told).not.toContain('"never"')
  })

  test('an end that the data names ends it, also in events', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': events })
      // It never ends by itself.
      response.write('data: {"t":"a"}\n\ndata: [DONE]\n\ndata: {"t":"b"}\n\n')
    }
    const body = [{ event: 'message', data: { t: 'a' }, id: null }]
    expect(await get({ lastItem: '[DONE]' })).toMatchObject({ body, isCut: false })
  })

  test('more than the limit fails, or what came is kept and the connection ended', async () => {
    let isClosed: Promise<void> = Promise.resolve()
    answer = (response) => {
      isClosed = new Promise((resolve) => response.once('close', resolve))
      response.writeHead(200, { 'content-type': jsonLines })
      response.write('1\n2\n3\n')
    }
    const failed = await thrownBy(() => get({ maxItems: 2 }))
    expect(failed).toMatchObject({ code: 'http_too_large', message: 'The response has more than 2 items.' })
    await isClosed
    expect(await get({ maxItems: 2, whenMore: 'cut' })).toMatchObject({ body: [1, 2], isCut: true })
    await isClosed
    const flood = await thrownBy(() => get({ maxResponseBytes: 5 }))
    expect(flood).toMatchObject({ code: 'http_too_large', message: 'The response has more than 5 bytes.' })
    expect(await get({ maxResponseBytes: 5, whenMore: 'cut' })).toMatchObject({
      body: [1, 2, 3],
      isCut: true,
    })
    answer = inPieces(jsonLines, '1\n2', 1)
    expect(await get({ maxItems: 2 })).toMatchObject({ body: [1, 2], isCut: false })
    expect(await get({ maxItems: 1, whenMore: 'cut' })).toMatchObject({ body: [1], isCut: true })
  })

  test('a line that is no JSON is named, without its text', async () => {
    answer = inPieces(jsonLines, '1\nsecret-text\n', 99)
    const secrets = {
      checkHost: () => {},
      add: () => {},
      isIn: () => true,
      redact: () => '***',
    }
    const failed = await thrownBy(() => get({}, { secrets }))
    expect(failed).toMatchObject({ code: 'task_failed', retryable: false, details: { line: 2 } })
    expect(JSON.stringify(failed) + String(failed)).not.toContain('secret-text')
  })

  test('a connection that breaks, an answer that is packed, and one that is no success fail as ever', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': jsonLines, 'content-length': '100' })
      response.write('1\n', () => response.destroy())
    }
    expect(await thrownBy(() => get({}))).toMatchObject({ code: 'http_unreachable' })
    answer = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('1\n'))
    }
    expect(await thrownBy(() => get({}))).toMatchObject({ code: 'task_failed' })
    answer = (response) => {
      response.writeHead(404, { 'content-type': jsonLines }).end('no\n')
    }
    const gone = await thrownBy(() => get({}))
    expect(gone).toMatchObject({ code: 'http_status', details: { body: 'no\n' } })
  })

  test('pages are not taken so, and a mock has none', () => {
    const pages = { kind: 'link' }
    const refused = httpRequestSpec.parameters.safeParse({ url: 'x', response: 'items', pages })
    expect(refused.error?.issues[0]?.path).toEqual(['response'])
    const output = { status: 200, headers: {}, body: [], isCut: false }
    expect(httpRequestMock(parsed({}), taskContext())).toMatchObject({ output })
  })
})
