/** What is said to a model and what it says, in our form and in that of the services. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { ModelAnswer } from './answer-stream.ts'
import type { AskModelParameters } from './spec.ts'
import type { ToolCall } from './tools.ts'
import { toolsOf } from './tools.ts'

type Message = AskModelParameters['messages'][number]

/** The body of the request. */
export function requestOf(parameters: AskModelParameters): string {
  const { model, system, prompt, messages, answer, temperature, maxTokens, tools, toolChoice } = parameters
  const all = [
    ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
    ...messages.map(wireOf),
    ...(prompt.trim() === '' ? [] : [{ role: 'user', content: prompt }]),
  ]
  if (all.length === 0) throw invalid('There is nothing to ask.', 'Write a question.', 'prompt')
  return JSON.stringify({
    model,
    messages: all,
    max_tokens: maxTokens,
    ...(temperature < 0 ? {} : { temperature }),
    ...(answer === 'text' ? {} : { response_format: formatOf(parameters) }),
    ...(tools.length === 0 ? {} : { tools: toolsOf(tools), tool_choice: toolChoice }),
    stream: true,
    stream_options: { include_usage: true },
  })
}

function wireOf({ role, content, toolCalls, toolCallId }: Message): JsonObject {
  if (role === 'tool') {
    if (toolCallId !== '') return { role, content, tool_call_id: toolCallId }
    throw invalid(
      'What a tool says belongs to a call, and it names none.',
      'Give the message the id of the call as toolCallId.',
      'messages',
    )
  }
  if (role !== 'assistant' || toolCalls.length === 0) return { role, content }
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given ?? {}) },
  }))
  return { role, content, tool_calls: calls }
}

const formatOf = (parameters: AskModelParameters) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema: schemaOf(parameters) },
})

/** The schema of the answer. */
export function schemaOf({ schema }: AskModelParameters): JsonObject {
  // A parameter's value is JSON by its making.
  const value = (schema ?? null) as JsonValue
  if (isJsonObject(value)) return value
  throw new SagasmithError('task_input_invalid', {
    message: 'The schema is no JSON Schema: it must be an object.',
    details: { field: 'schema' },
  })
}

/** The talk with this answer, as `messages` takes it: what the next question goes on from. */
export function talkOn(
  { messages, prompt }: AskModelParameters,
  { text }: ModelAnswer,
  calls: readonly ToolCall[],
): readonly JsonObject[] {
  return [
    // A parameter's value is JSON by its making.
    ...messages.map((message) => kept(message as unknown as JsonObject)),
    ...(prompt.trim() === '' ? [] : [{ role: 'user', content: prompt }]),
    { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { toolCalls: calls.map(plainCall) }) },
  ]
}

const plainCall = (call: ToolCall): JsonObject => ({ ...call })

/** Without what says nothing. */
const kept = (message: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(message).filter(
      ([name, value]) =>
        !(name === 'toolCallId' && value === '') && !(Array.isArray(value) && value.length === 0),
    ),
  )

const invalid = (message: string, hint: string, field: string): SagasmithError =>
  new SagasmithError('task_input_invalid', { message, hint, details: { field } })
