/** The answer of a model as it comes: server-sent events, or all at once from services that don't stream. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { parseJson } from '../json-text.ts'

/** A call of a tool as the model says it; the text should be JSON. */
export interface SaidCall {
  readonly id: string
  readonly name: string
  readonly text: string
}

export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly SaidCall[]
  readonly model: string
  /** Why it ended: `stop`, `length`, `tool_calls`, `content_filter`; empty when the service doesn't say. */
  readonly finish: string
  /** Null when the service doesn't count. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** More than any model says in one go. */
const answerLengthMax = 4_000_000
const eventLengthMax = 1_000_000
/** More than any step allows: a service that counts on without end is broken. */
const callsMax = 1_000

/** Collects an answer; `onText` gets each piece. */
export function createAnswerReader(onText: (piece: string) => void) {
  const calls: SaidCall[] = []
  let text = ''
  let model = ''
  let finish = ''
  let length = 0
  let inputTokens: number | null = null
  let outputTokens: number | null = null
  const grow = (by: number): void => {
    length += by
    if (length > answerLengthMax) throw tooLong()
  }
  const takeChoice = (choice: JsonObject): void => {
    const said = isJsonObject(choice['delta']) ? choice['delta'] : choice['message']
    if (isJsonObject(said)) {
      const piece = textAt(said, 'content')
      grow(piece.length)
      text += piece
      if (piece !== '') onText(piece)
      for (const part of listAt(said, 'tool_calls')) grow(addCall(calls, part))
    }
    finish = textAt(choice, 'finish_reason') || finish
  }
  const take = (value: JsonObject): void => {
    if (isJsonObject(value['error'])) throw serviceError(value['error'])
    model = textAt(value, 'model') || model
    const [choice] = listAt(value, 'choices')
    if (choice !== undefined) takeChoice(choice)
    const { usage } = value
    if (!isJsonObject(usage)) return
    if (typeof usage['prompt_tokens'] === 'number') inputTokens = usage['prompt_tokens']
    if (typeof usage['completion_tokens'] === 'number') outputTokens = usage['completion_tokens']
  }
  const answer = (): ModelAnswer => ({ text, calls, model, finish, inputTokens, outputTokens })
  return { take, answer }
}

/** Puts a piece to the call that it is of; says how much there is more. */
function addCall(calls: SaidCall[], part: JsonObject): number {
  const said = isJsonObject(part['function']) ? part['function'] : {}
  const id = textAt(part, 'id')
  const name = textAt(said, 'name')
  const text = textAt(said, 'arguments')
  const index = placeOf(calls, part['index'], id)
  const before = calls[index]
  calls[index] =
    before === undefined
      ? { id, name, text }
      : { id: before.id || id, name: before.name || name, text: before.text + text }
  return id.length + name.length + text.length
}

/** Services that don't number the pieces begin each call with its id. */
function placeOf(calls: readonly SaidCall[], index: JsonValue | undefined, id: string): number {
  const last = calls.length - 1
  if (typeof index !== 'number') return id !== '' && id !== calls[last]?.id ? last + 1 : Math.max(last, 0)
  // Numbers that leave some out, or begin elsewhere, would leave holes.
  if (!Number.isInteger(index) || index < 0 || index > last + 1) throw broken('counts its calls wrongly')
  if (index >= callsMax) throw tooLong()
  return index
}

/** Reads an event stream to its end. Throws `model_answer_broken` when it ends in the midst of the answer. */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  { take, answer }: ReturnType<typeof createAnswerReader>,
): Promise<void> {
  for await (const line of linesOf(body)) {
    const data = /^data: ?(.*)$/.exec(line)?.[1]?.trim() ?? ''
    if (data === '') continue
    if (data === '[DONE]') return
    const value = parseJson(data)
    if (!value.ok || !isJsonObject(value.value)) throw broken('says what is no JSON')
    take(value.value)
  }
  // Some services don't say that they are done, but all say why they ended.
  if (answer().finish === '') throw broken('ended in the midst of its answer')
}

/** Reads an answer that comes as a whole. */
export function readWhole(text: string, { take }: ReturnType<typeof createAnswerReader>): void {
  const value = parseJson(text)
  if (!value.ok || !isJsonObject(value.value)) throw broken('answered with what is no JSON')
  take(value.value)
  if (listAt(value.value, 'choices').length === 0) throw broken('answered without an answer')
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > eventLengthMax) throw tooLong()
    yield* lines
  }
  yield rest + decoder.decode()
}

const textAt = (value: JsonObject, name: string): string => {
  const found = value[name]
  return typeof found === 'string' ? found : ''
}

const listAt = (value: JsonObject, name: string): readonly JsonObject[] => {
  const found = value[name]
  return Array.isArray(found) ? (found as readonly JsonValue[]).filter(isJsonObject) : []
}

function serviceError(error: JsonObject): SagasmithError {
  const words = typeof error['message'] === 'string' ? error['message'] : 'an error without words'
  return new SagasmithError('task_failed', {
    message: `The service broke off: ${words}`,
    hint: 'Try again later, or ask another model.',
  })
}

const broken = (what: string): SagasmithError =>
  new SagasmithError('model_answer_broken', { message: `The model’s service ${what}.` })

const tooLong = (): SagasmithError =>
  new SagasmithError('http_too_large', { message: 'The answer goes on without end and was broken off.' })
