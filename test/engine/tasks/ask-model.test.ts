/** Asking a model of our own: streamed and whole answers, schemas, costs, and what goes wrong on the way. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { askModelMock } from '../../../src-engine/tasks/ask-model/mock.ts'
import { createAskModelRun } from '../../../src-engine/tasks/ask-model/run.ts'
import { askModelSpec } from '../../../src-engine/tasks/ask-model/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const task = createAskModelRun({ lookup: async () => [] })
let server: Server
let baseUrl = ''
let asked: { readonly headers: JsonObject; readonly body: JsonObject }[] = []
/** What the model does next. */
let answer: (response: ServerResponse, request: IncomingMessage) => void = () => {}

const events =
  (...values: readonly (JsonObject | string)[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    // In pieces that break anywhere, as networks do.
    const bytes = Buffer.from(
      values
        .map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\r\n\r\n`)
        .join(''),
    )
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  }
const piece = (content: string, finish: string | null = null): JsonObject => ({
  model: 'tiny-1',
  choices: [{ delta: { content }, finish_reason: finish }],
})
const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } }

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      asked.push({ headers: { ...request.headers } as JsonObject, body: JSON.parse(text) as JsonObject })
      answer(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

const ask = async (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await task.execute(
      askModelSpec.parameters.parse({ baseUrl, model: 'tiny', prompt: 'Say it.', ...raw }),
      taskContext({ approvedHosts: ['127.0.0.1'], ...parts }),
    ),
  )

test('words come as they are said, whole lines of them', async () => {
  answer = events(piece('Héllo\nwor'), piece('ld'), piece('', 'stop'), usage, '[DONE]')
  const context = taskContext({ approvedHosts: ['127.0.0.1'] })
  const output = await ask({ apiKey: 'k', system: 'Be brief.', temperature: 0 }, context)
  expect(output).toEqual({
    text: 'Héllo\nworld',
    model: 'tiny-1',
    finish: 'stop',
    usage: { inputTokens: 10, outputTokens: 4 },
    cost: 0,
  })
  expect(context.lines).toEqual(['model info Héllo', 'model info world'])
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer k', 'idempotency-key': 'key-1' })
  expect(asked[0]?.body).toMatchObject({
    model: 'tiny',
    temperature: 0,
    max_tokens: 4_000,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say it.' },
    ],
  })
})

test('a service that does not stream, and wants no key', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }] }),
    )
  }
  expect(await ask({})).toMatchObject({ text: 'all at once', model: 'tiny', usage: { inputTokens: null } })
  expect(asked[0]?.headers['authorization']).toBe(undefined)
})

describe('JSON by a schema', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

  test('fits, with or without a fence around it', async () => {
    answer = events(piece('```json\n{"n": 3}\n```', 'stop'), '[DONE]')
    expect(await ask({ answer: 'json', schema })).toMatchObject({ json: { n: 3 } })
    expect(asked[0]?.body['response_format']).toMatchObject({ type: 'json_schema', json_schema: { schema } })
  })

  test.for<[string, string]>([
    ['{"n": "three"}', 'stop'],
    ['three', 'stop'],
    ['{"n": 3', 'length'],
  ])('fails the attempt: %s', async ([text, finish]) => {
    answer = events(piece(text, finish), '[DONE]')
    expect(await thrownBy(() => ask({ answer: 'json', schema }))).toMatchObject({
      code: 'task_output_invalid',
      retryable: true,
    })
  })
})

describe('cost', () => {
  const prices = { inputPrice: 2, outputPrice: 10 }

  test('by what the service counts', async () => {
    answer = events(piece('x', 'stop'), usage, '[DONE]')
    expect(await ask(prices)).toMatchObject({ cost: (10 * 2 + 4 * 10) / 1_000_000 })
  })

  test('a call that could cost too much is not made', async () => {
    const raw = { ...prices, maxTokens: 1_000_000, maxCost: 5 }
    expect(await thrownBy(() => ask(raw))).toMatchObject({ code: 'cost_limit' })
    expect(asked).toEqual([])
  })
})

describe('goes wrong', () => {
  test.for<[number, string, boolean]>([
    [401, 'sign_in_refused', false],
    [404, 'http_status', false],
    [429, 'http_status', true],
    [503, 'http_status', true],
  ])('%s', async ([status, code, retryable]) => {
    answer = (response) => {
      response.writeHead(status)
      response.end('{"error":{"message":"no"}}')
    }
    expect(await thrownBy(() => ask({}))).toMatchObject({ code, retryable, details: { status } })
  })

  test('an error in the midst of the answer', async () => {
    answer = events(piece('Hel'), { error: { message: 'overloaded' } })
    expect(await thrownBy(() => ask({}))).toMatchObject({
      code: 'task_failed',
      message: expect.stringContaining('overloaded') as string,
    })
  })

  test('an answer that is held back', async () => {
    answer = events(piece('', 'content_filter'), '[DONE]')
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'model_refused' })
  })

  test('a connection that is lost', async () => {
    answer = (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {}\n', () => request.socket.destroy())
    }
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'connection_failed', retryable: true })
  })

  test('silence, and cancelling', async () => {
    answer = () => {}
    expect(await thrownBy(() => ask({ timeoutMs: 50 }))).toMatchObject({ code: 'task_timeout' })
    const stop = new AbortController()
    answer = () => stop.abort()
    expect(await thrownBy(() => ask({}, { signal: stop.signal }))).toMatchObject({ code: 'task_cancelled' })
  })

  test('a place that nobody approved, no question, a schema that is none', async () => {
    expect(await thrownBy(() => ask({}, { approvedHosts: [] }))).toMatchObject({
      code: 'http_address_denied',
    })
    expect(await thrownBy(() => ask({ prompt: ' ' }))).toMatchObject({ code: 'task_input_invalid' })
    expect(await thrownBy(() => ask({ answer: 'json', schema: 7 }))).toMatchObject({
      code: 'task_input_invalid',
    })
    expect(asked).toEqual([])
  })
})

test('the mock asks nobody', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', default: 2 } } }
  const parameters = askModelSpec.parameters.parse({ model: 'tiny', answer: 'json', schema })
  expect(askModelMock(parameters, taskContext())).toMatchObject({ output: { json: { n: 2 }, cost: 0 } })
})
