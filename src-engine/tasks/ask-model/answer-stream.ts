/** The answer of a model as it comes: server-sent events, or all at once from services that don't stream. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { parseJson } from '../json-text.ts'

export interface ModelAnswer {
  readonly text: string
  readonly model: string
  /** Why it ended: `stop`, `length`, `content_filter`; empty when the service doesn't say. */
  readonly finish: string
  /** Null when the service doesn't count. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** More than any model says in one go. */
const answerLengthMax = 4_000_000
const eventLengthMax = 1_000_000

/** Collects an answer; `onText` gets each piece. */
export function createAnswerReader(onText: (piece: string) => void) {
  let text = ''
  let model = ''
  let finish = ''
  let inputTokens: number | null = null
  let outputTokens: number | null = null
  const take = (value: JsonObject): void => {
    if (isJsonObject(value['error'])) throw serviceError(value['error'])
    if (typeof value['model'] === 'string') model = value['model']
    const choice: JsonValue = Array.isArray(value['choices']) ? (value['choices'][0] ?? null) : null
    if (isJsonObject(choice)) {
      const said = isJsonObject(choice['delta']) ? choice['delta'] : choice['message']
      const piece = isJsonObject(said) && typeof said['content'] === 'string' ? said['content'] : ''
      text += piece
      if (text.length > answerLengthMax) throw tooLong()
      if (piece !== '') onText(piece)
      if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason']
    }
    const { usage } = value
    if (!isJsonObject(usage)) return
    if (typeof usage['prompt_tokens'] === 'number') inputTokens = usage['prompt_tokens']
    if (typeof usage['completion_tokens'] === 'number') outputTokens = usage['completion_tokens']
  }
  const answer = (): ModelAnswer => ({ text, model, finish, inputTokens, outputTokens })
  return { take, answer }
}

/** The values of an event stream, until it says that it is done. */
export async function* eventValues(body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > eventLengthMax) throw tooLong()
    for (const line of lines) {
      const data = /^data: ?(.*)$/.exec(line)?.[1]
      if (data === undefined) continue
      if (data === '[DONE]') return
      const value = parseJson(data)
      if (value.ok && isJsonObject(value.value)) yield value.value
    }
  }
}

function serviceError(error: JsonObject): SagasmithError {
  const words = typeof error['message'] === 'string' ? error['message'] : 'an error without words'
  return new SagasmithError('task_failed', {
    message: `The service broke off: ${words}`,
    hint: 'Try again later, or ask another model.',
  })
}

const tooLong = (): SagasmithError =>
  new SagasmithError('http_too_large', { message: 'The answer goes on without end and was broken off.' })
