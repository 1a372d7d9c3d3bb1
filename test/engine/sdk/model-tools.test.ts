/** A model that asks for tools: each question and each call is a step of its own, and the loop has an end. */

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sagasmith } from '../../../src-engine/index.ts'
import { defineWorkflow, openInProcessSagasmith } from '../../../src-engine/index.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'

let server: Server
let baseUrl = ''
let asked: JsonObject[] = []
/** What the model does with the n-th question. */
let answers: (n: number) => JsonObject = () => ({ content: '' })
const open: Sagasmith[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject)
      const message = answers(asked.length)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  asked = []
})
afterEach(async () => {
  for (const sagasmith of open.splice(0)) await sagasmith.close()
})

const calls = (...prices: readonly [id: string, item: string][]): JsonObject => ({
  content: null,
  tool_calls: prices.map(([id, item]) => ({
    id,
    type: 'function',
    function: { name: 'price', arguments: JSON.stringify({ item }) },
  })),
})

/** As docs/messages.md draws it. */
const agent = () =>
  defineWorkflow({
    id: 'agent',
    capabilities: { hosts: ['127.0.0.1'] },
    variables: { prices: { tea: 3, cake: 4 } },
    nodes: {
      begin: {
        kind: 'transform',
        parameters: { expression: '{"messages": [{"role": "user", "content": input.question}]}' },
      },
      talk: { kind: 'loop', parameters: { mode: 'until', condition: 'loop.value.isDone = true', max: 3 } },
      ask: {
        kind: 'ask-model',
        parent: 'talk',
        parameters: {
          baseUrl,
          model: 'tiny',
          messages: '{{ loop.value.messages }}',
          tools: [
            {
              name: 'price',
              schema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
            },
          ],
        },
      },
      done: {
        kind: 'transform',
        parent: 'talk',
        parameters: { expression: '{"isDone": true, "text": input.text}' },
      },
      each: { kind: 'map', parent: 'talk', parameters: { items: 'input.toolCalls' } },
      price: {
        kind: 'transform',
        parent: 'each',
        parameters: {
          expression:
            '{"role": "tool", "toolCallId": item.id, "content": $string($lookup(vars.prices, item.arguments.item))}',
        },
      },
      goOn: {
        kind: 'transform',
        parent: 'talk',
        parameters: { expression: '{"messages": $append(nodes.ask.output.messages, input)}' },
      },
    },
    edges: [
      ['begin', 'talk'],
      ['ask', 'done'],
      ['ask:tools', 'each'],
      ['each', 'goOn'],
    ],
  })

const started = async () => {
  const sagasmith = await openInProcessSagasmith({ mockEffects: false })
  open.push(sagasmith)
  return (await sagasmith.run(agent(), { question: 'Tea and cake?' })).result()
}

test('calls are done by steps, and the model hears what came of them', async () => {
  answers = (n) =>
    n === 1 ? calls(['a', 'tea'], ['b', 'cake']) : n === 2 ? calls(['c', 'tea']) : { content: 'Seven.' }
  const { status, output, error } = await started()
  expect({ status, output, error }).toEqual({
    status: 'SUCCEEDED',
    output: { isDone: true, text: 'Seven.' },
    error: null,
  })
  expect(asked).toHaveLength(3)
  expect(asked[2]?.['messages']).toMatchObject([
    { role: 'user', content: 'Tea and cake?' },
    { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a', content: '3' },
    { role: 'tool', tool_call_id: 'b', content: '4' },
    { role: 'assistant', tool_calls: [{ id: 'c' }] },
    { role: 'tool', tool_call_id: 'c', content: '3' },
  ])
})

test('a model that never stops asking for tools is stopped by its loop', async () => {
  answers = (n) => calls([`c${n}`, 'tea'])
  expect(await started()).toMatchObject({ status: 'FAILED', error: { code: 'loop_limit_reached' } })
  expect(asked).toHaveLength(3)
})
