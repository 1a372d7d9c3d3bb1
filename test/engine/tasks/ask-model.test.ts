/** Asking a model of our own: streamed and whole answers, schemas, costs, and what goes wrong on the way. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { askModelMock } from '../../../src-engine/tasks/ask-model/mock.ts'
import { createAskModelRun } from '../../../src-engine/tasks/ask-model/run.ts'
import { askModelSpec } from '../../../src-engine/tasks/ask-model/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'
import type { ModelService } from './model-service.ts'
import { events, openModelService, piece, usage } from './model-service.ts'

const task = createAskModelRun({ lookup: async () => [] })
let service: ModelService
beforeAll(async () => {
  service = await openModelService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.asked.length = 0
})

const ask = async (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await task.execute(
      askModelSpec.parameters.parse({ baseUrl: service.baseUrl, model: 'tiny', prompt: 'Say it.', ...raw }),
      taskContext({ approvedHosts: ['127.0.0.1'], ...parts }),
    ),
  )

test('words come as they are said, whole lines of them', async () => {
  service.answer = events(piece('Héllo\nwor'), piece('ld'), piece('', 'stop'), usage, '[DONE]')
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
  expect(service.asked[0]?.headers).toMatchObject({ authorization: 'Bearer k', 'idempotency-key': 'key-1' })
  expect(service.asked[0]?.body).toMatchObject({
    model: 'tiny',
    temperature: 0,
    max_tokens: 4_000,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say it.' },
    ],
  })
})

describe('what is watched', () => {
  const words = 'seven words that are in no hurry. '.repeat(12).trim()

  test('a long paragraph is told while it is said, and cut at the ends of words', async () => {
    const said: string[] = []
    let goOn = () => {}
    service.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(piece(words))}\n\n`)
      // The rest comes once something was seen of it.
      goOn = () => response.end(`data: ${JSON.stringify(piece('', 'stop'))}\n\ndata: [DONE]\n\n`)
    }
    const log: TaskContext['log'] = ({ text }) => {
      if (said.push(text) === 1) goOn()
    }
    expect(await ask({}, { log })).toMatchObject({ text: words })
    expect(said.join(' ')).toBe(words)
    expect(Math.max(...said.map(({ length }) => length))).toBeLessThanOrEqual(160)
  })

  test('with a key of several words only whole lines are told, so that no half of it is', async () => {
    service.answer = events(piece(`${words}\n`), piece(words, 'stop'), '[DONE]')
    const context = taskContext({ approvedHosts: ['127.0.0.1'] })
    await ask({ apiKey: 'my very own key' }, context)
    expect(context.lines).toEqual([`model info ${words}`, `model info ${words}`])
  })

  test('what has no words is told when its line is over', async () => {
    service.answer = events(piece('x'.repeat(500)), piece('y\r'), piece('\nz', 'stop'), '[DONE]')
    const context = taskContext({ approvedHosts: ['127.0.0.1'] })
    await ask({}, context)
    expect(context.lines).toEqual([`model info ${'x'.repeat(500)}y`, 'model info z'])
  })
})

test('a service that does not stream, and wants no key', async () => {
  service.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }] }),
    )
  }
  expect(await ask({})).toMatchObject({ text: 'all at once', model: 'tiny', usage: { inputTokens: null } })
  expect(service.asked[0]?.headers['authorization']).toBe(undefined)
})

describe('JSON by a schema', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

  test('fits, with or without a fence around it', async () => {
    service.answer = events(piece('```json\n{"n": 3}\n```', 'stop'), '[DONE]')
    expect(await ask({ answer: 'json', schema })).toMatchObject({ json: { n: 3 } })
    expect(service.asked[0]?.body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema },
    })
  })

  test.for<[string, string]>([
    ['{"n": "three"}', 'stop'],
    ['three', 'stop'],
    ['{"n": 3', 'length'],
  ])('fails the attempt: %s', async ([text, finish]) => {
    service.answer = events(piece(text, finish), '[DONE]')
    expect(await thrownBy(() => ask({ answer: 'json', schema }))).toMatchObject({
      code: 'task_output_invalid',
      retryable: true,
    })
  })
})

describe('cost', () => {
  const prices = { inputPrice: 2, outputPrice: 10 }

  test('by what the service counts', async () => {
    service.answer = events(piece('x', 'stop'), usage, '[DONE]')
    expect(await ask(prices)).toMatchObject({ cost: (10 * 2 + 4 * 10) / 1_000_000 })
  })

  test('a call that could cost too much is not made', async () => {
    const raw = { ...prices, maxTokens: 1_000_000, maxCost: 5 }
    expect(await thrownBy(() => ask(raw))).toMatchObject({ code: 'cost_limit' })
    expect(service.asked).toEqual([])
  })
})

describe('goes wrong', () => {
  test.for<[number, string, boolean]>([
    [401, 'sign_in_refused', false],
    [404, 'http_status', false],
    [429, 'http_status', true],
    [503, 'http_status', true],
  ])('%s', async ([status, code, retryable]) => {
    service.answer = (response) => {
      response.writeHead(status)
      response.end('{"error":{"message":"no"}}')
    }
    expect(await thrownBy(() => ask({}))).toMatchObject({ code, retryable, details: { status } })
  })

  test('an error in the midst of the answer', async () => {
    service.answer = events(piece('Hel'), { error: { message: 'overloaded' } })
    expect(await thrownBy(() => ask({}))).toMatchObject({
      code: 'task_failed',
      message: expect.stringContaining('overloaded') as string,
    })
  })

  test.for<[string, readonly (JsonObject | string)[]]>([
    ['ends in the midst', [piece('Hel')]],
    ['says nothing', []],
    ['says what is no JSON', [piece('Hel'), '{"choices":']],
  ])('a stream that %s', async ([, values]) => {
    service.answer = events(...values)
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'model_answer_broken', retryable: true })
  })

  test('a stream that ends without its last line break, and one that only says why', async () => {
    service.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`: ping\n\ndata: ${JSON.stringify(piece('all', 'stop'))}`)
    }
    expect(await ask({})).toMatchObject({ text: 'all' })
  })

  test.for(['nothing', '{"object":"list"}'])('an answer that is none: %s', async (text) => {
    service.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    }
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'model_answer_broken' })
  })

  test('an answer that is held back', async () => {
    service.answer = events(piece('', 'content_filter'), '[DONE]')
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'model_refused' })
  })

  test('a connection that is lost', async () => {
    service.answer = (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {}\n', () => request.socket.destroy())
    }
    expect(await thrownBy(() => ask({}))).toMatchObject({ code: 'connection_failed', retryable: true })
  })

  test('silence, and cancelling', async () => {
    service.answer = () => {}
    expect(await thrownBy(() => ask({ timeoutMs: 50 }))).toMatchObject({ code: 'task_timeout' })
    const stop = new AbortController()
    service.answer = () => stop.abort()
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
    expect(service.asked).toEqual([])
  })
})

test('the mock asks nobody', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', default: 2 } } }
  const parameters = askModelSpec.parameters.parse({ model: 'tiny', answer: 'json', schema })
  expect(askModelMock(parameters, taskContext())).toMatchObject({ output: { json: { n: 2 }, cost: 0 } })
  const withTools = askModelSpec.parameters.parse({ model: 'tiny', tools: [{ name: 'now' }] })
  expect(askModelMock(withTools, taskContext())).toMatchObject({ ports: ['out'], output: { toolCalls: [] } })
})
