/** Asks a model, shows its words as they come, and checks what it says against what was asked for. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import { withinDeadline } from '../deadline.ts'
import type { GuardedResponse } from '../guarded-request.ts'
import { refusedAnswer, responseText, withResponse } from '../guarded-request.ts'
import { webAddress } from '../http-request/destination.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { ModelAnswer } from './answer-stream.ts'
import { createAnswerReader, eventValues } from './answer-stream.ts'
import { costOf, refuseCost } from './cost.ts'
import type { AskModelParameters } from './spec.ts'

/** The call of a model with what it needs from outside. */
export function createAskModelRun({ lookup }: Pick<TaskPorts, 'lookup'>): TaskRun<AskModelParameters> {
  return {
    async execute(parameters, context) {
      const body = requestOf(parameters)
      refuseCost(parameters, body)
      const { timeoutMs } = parameters
      const answer = await withinDeadline({ timeoutMs }, context, (signal) =>
        withResponse(
          { method: 'POST', url: addressOf(parameters), headers: headersOf(parameters, context), body },
          { context, lookup, signal },
          (response) => read(response, context),
        ),
      )
      return completed(resultOf(answer, parameters, body))
    },
  }
}

function addressOf({ baseUrl }: AskModelParameters): URL {
  return webAddress(`${baseUrl.trim().replace(/\/+$/, '')}/chat/completions`)
}

const headersOf = ({ apiKey }: AskModelParameters, { idempotencyKey }: TaskContext) => ({
  'content-type': 'application/json',
  accept: 'text/event-stream, application/json',
  'idempotency-key': idempotencyKey,
  ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
})

function requestOf(parameters: AskModelParameters): string {
  const { model, system, messages, prompt, answer, temperature, maxTokens } = parameters
  const all = [
    ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
    ...messages,
    ...(prompt.trim() === '' ? [] : [{ role: 'user', content: prompt }]),
  ]
  if (all.length === 0) {
    throw new SagasmithError('task_input_invalid', {
      message: 'There is nothing to ask.',
      hint: 'Write a question.',
      details: { field: 'prompt' },
    })
  }
  return JSON.stringify({
    model,
    messages: all,
    max_tokens: maxTokens,
    ...(temperature < 0 ? {} : { temperature }),
    ...(answer === 'text' ? {} : { response_format: formatOf(parameters) }),
    stream: true,
    stream_options: { include_usage: true },
  })
}

const formatOf = (parameters: AskModelParameters) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema: schemaOf(parameters) },
})

function schemaOf({ schema }: AskModelParameters): JsonObject {
  // A parameter's value is JSON by its making.
  const value = (schema ?? null) as JsonValue
  if (isJsonObject(value)) return value
  throw new SagasmithError('task_input_invalid', {
    message: 'The schema is no JSON Schema: it must be an object.',
    details: { field: 'schema' },
  })
}

async function read(response: GuardedResponse, context: TaskContext): Promise<ModelAnswer> {
  if (response.status !== 200) throw await refusedAnswer(response, 'The model’s service', context)
  const lines = createLineTeller((text) => context.log({ level: 'info', stream: 'model', text }))
  const reader = createAnswerReader((piece) => {
    context.beat()
    lines.add(piece)
  })
  if ((response.headers['content-type'] ?? '').includes('json')) {
    const value = parseJson(await responseText(response, 10_000_000))
    if (value.ok && isJsonObject(value.value)) reader.take(value.value)
  } else for await (const value of eventValues(response.body)) reader.take(value)
  lines.end()
  return reader.answer()
}

/** Whole lines are told: half of a secret would be found by nobody. */
function createLineTeller(tell: (text: string) => void) {
  let rest = ''
  return {
    add(piece: string) {
      rest += piece
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(tell)
    },
    end() {
      if (rest !== '') tell(rest)
    },
  }
}

function resultOf(answer: ModelAnswer, parameters: AskModelParameters, asked: string): JsonObject {
  const { text, finish } = answer
  if (finish === 'content_filter') {
    throw new SagasmithError('model_refused', {
      message: 'The service held the answer back by its own rules.',
    })
  }
  const told = {
    model: answer.model === '' ? parameters.model : answer.model,
    finish,
    usage: { inputTokens: answer.inputTokens, outputTokens: answer.outputTokens },
    cost: costOf(parameters, answer, asked),
  }
  if (parameters.answer === 'text') return { text, ...told }
  return { text, json: checkedJson(answer, parameters), ...told }
}

function checkedJson({ text, finish }: ModelAnswer, parameters: AskModelParameters): JsonValue {
  if (finish === 'length') {
    throw unfit(`The answer is longer than ${parameters.maxTokens} tokens and was cut.`, [])
  }
  // Some models put a fence around it, whatever they are told.
  const value = parseJson(text.trim().replace(/^```(?:json)?\s*|\s*```$/g, ''))
  if (!value.ok) throw unfit('The answer is not JSON.', [])
  const { problems } = validateInput(schemaOf(parameters), value.value)
  const [first] = problems
  if (first === undefined) return value.value
  throw unfit(`The answer doesn’t fit the schema: ${first.message}`, problems)
}

function unfit(message: string, problems: readonly object[]): SagasmithError {
  return new SagasmithError('task_output_invalid', {
    message,
    hint: 'Let the step try again, say in the question what is wanted, or raise the tokens.',
    details: { problems: problems.slice(0, 20).map((problem) => ({ ...problem })) },
    retryable: true,
  })
}
