/** Tools of a model of our own: what is offered, what it calls, and how the talk goes on. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createAskModelRun } from '../../../src-engine/tasks/ask-model/run.ts'
import { askModelSpec } from '../../../src-engine/tasks/ask-model/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'
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

const tools = [
  {
    name: 'find_order',
    description: 'Finds an order.',
    schema: {
      type: 'object',
      properties: { id: { type: 'integer' }, currency: { type: 'string', default: 'EUR' } },
      required: ['id'],
    },
  },
  { name: 'now' },
]
const call = (index: number | null, id: string, said: JsonObject): JsonObject => ({
  choices: [{ delta: { tool_calls: [{ ...(index === null ? {} : { index }), id, function: said }] } }],
})
const over = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }
const outcome = async (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  task.execute(
    askModelSpec.parameters.parse({
      baseUrl: service.baseUrl,
      model: 'tiny',
      prompt: 'Where is 7?',
      tools,
      ...raw,
    }),
    taskContext({ approvedHosts: ['127.0.0.1'], ...parts }),
  )
const toolCalls = [
  { id: 'c1', name: 'find_order', arguments: { id: 7, currency: 'EUR' } },
  { id: 'c2', name: 'now', arguments: {} },
]

test('calls come in pieces, are checked, and leave by a way of their own', async () => {
  service.answer = events(
    piece('Let me look.'),
    call(0, 'c1', { name: 'find_order', arguments: '{"id"' }),
    call(0, '', { name: '', arguments: ':7}' }),
    call(1, 'c2', { name: 'now', arguments: '' }),
    over,
    usage,
    '[DONE]',
  )
  const context = taskContext({ approvedHosts: ['127.0.0.1'] })
  expect(await outcome({ toolChoice: 'required' }, context)).toMatchObject({
    ports: ['tools'],
    output: {
      text: 'Let me look.',
      finish: 'tool_calls',
      toolCalls,
      messages: [
        { role: 'user', content: 'Where is 7?' },
        { role: 'assistant', content: 'Let me look.', toolCalls },
      ],
    },
  })
  expect(context.lines).toEqual([
    'model info Let me look.',
    'model info Calls find_order {"id":7,"currency":"EUR"}',
    'model info Calls now {}',
  ])
  expect(service.asked[0]?.body).toMatchObject({
    tool_choice: 'required',
    tools: [
      { type: 'function', function: { name: 'find_order', parameters: tools[0]?.schema ?? {} } },
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ],
  })
})

test('pieces without numbers begin a call with each new id', async () => {
  service.answer = events(
    call(null, 'c1', { name: 'find_order', arguments: '{"id":' }),
    call(null, 'c1', { name: '', arguments: '7}' }),
    call(null, 'c2', { name: 'now', arguments: '{}' }),
    over,
    '[DONE]',
  )
  expect(await outcome({})).toMatchObject({ output: { toolCalls } })
})

test('a service that does not stream calls tools, too', async () => {
  service.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const said = [{ id: 'c1', function: { name: 'find_order', arguments: '{"id":7}' } }]
    response.end(
      JSON.stringify({ choices: [{ message: { tool_calls: said }, finish_reason: 'tool_calls' }] }),
    )
  }
  expect(await outcome({})).toMatchObject({ output: { toolCalls: [toolCalls[0]] } })
})

test('the talk goes on with what came of them, and its answer leaves by the other way', async () => {
  service.answer = events(piece('At the door.', 'stop'), '[DONE]')
  const messages = [
    { role: 'user', content: 'Where is 7?' },
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', toolCallId: 'c1', content: '{"at":"door"}' },
    { role: 'tool', toolCallId: 'c2', content: 'noon' },
  ]
  expect(await outcome({ prompt: '', messages })).toMatchObject({
    ports: ['out'],
    output: {
      text: 'At the door.',
      toolCalls: [],
      messages: [...messages, { role: 'assistant', content: 'At the door.' }],
    },
  })
  expect(service.asked[0]?.body['messages']).toEqual([
    { role: 'user', content: 'Where is 7?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'find_order', arguments: '{"id":7,"currency":"EUR"}' },
        },
        { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    },
    { role: 'tool', content: '{"at":"door"}', tool_call_id: 'c1' },
    { role: 'tool', content: 'noon', tool_call_id: 'c2' },
  ])
})

test.for<[string, string, string]>([
  ['erase_all', '{}', 'there is no such tool'],
  ['find_order', '{"id":', 'are not JSON'],
  ['find_order', '{"id":"seven"}', 'don’t fit'],
  ['find_order', '', 'don’t fit'],
])('%s with %s fails the attempt', async ([name, text, words]) => {
  service.answer = events(call(0, 'c1', { name: name, arguments: text }), over, '[DONE]')
  expect(await thrownBy(() => outcome({}))).toMatchObject({
    code: 'task_output_invalid',
    retryable: true,
    message: expect.stringContaining(words) as string,
  })
})

test('more calls than allowed, numbers that leave some out, a tool that nobody offered', async () => {
  service.answer = events(
    call(0, 'a', { name: 'now', arguments: '' }),
    call(1, 'b', { name: 'now', arguments: '' }),
    over,
    '[DONE]',
  )
  expect(await thrownBy(() => outcome({ maxToolCalls: 1 }))).toMatchObject({ code: 'task_output_invalid' })
  service.answer = events(call(1_000_000, 'a', { name: 'now', arguments: '' }), over, '[DONE]')
  expect(await thrownBy(() => outcome({}))).toMatchObject({ code: 'model_answer_broken' })
  service.answer = events(call(0, 'a', { name: 'now', arguments: '' }), over, '[DONE]')
  expect(await thrownBy(() => outcome({ tools: [] }))).toMatchObject({ code: 'task_output_invalid' })
})

test('a tool without a schema, a result of no call', async () => {
  expect(await thrownBy(() => outcome({ tools: [{ name: 'x', schema: 7 }] }))).toMatchObject({
    code: 'task_input_invalid',
    details: { tool: 'x' },
  })
  expect(await thrownBy(() => outcome({ messages: [{ role: 'tool', content: 'x' }] }))).toMatchObject({
    code: 'task_input_invalid',
    details: { field: 'messages' },
  })
  expect(service.asked).toEqual([])
})

test('a name that services refuse is refused before', () => {
  expect(askModelSpec.parameters.safeParse({ model: 'm', tools: [{ name: 'find order' }] }).success).toBe(
    false,
  )
})

test('there are two ways out with tools, and one without', () => {
  const ids = (raw: JsonObject) => askModelSpec.outputs(raw).map(({ id }) => id)
  expect(ids({})).toEqual(['out'])
  expect(ids({ tools: [] })).toEqual(['out'])
  expect(ids({ tools })).toEqual(['out', 'tools'])
  expect(ids({ tools: '{{ vars.tools }}' })).toEqual(['out', 'tools'])
})
