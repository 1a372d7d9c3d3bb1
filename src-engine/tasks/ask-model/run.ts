/** Asks a model, shows its words as they come, and checks what it says against what was asked for. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import { withinDeadline } from '../deadline.ts'
import type { GuardedResponse } from '../guarded-request.ts'
import { refusedAnswer, responseText, withResponse } from '../guarded-request.ts'
import { webAddress } from '../http-request/destination.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { ModelAnswer } from './answer-stream.ts'
import { createAnswerReader, readEvents, readWhole } from './answer-stream.ts'
import { costOf, refuseCost } from './cost.ts'
import type { AskModelParameters } from './spec.ts'
import { requestOf, schemaOf, talkOn } from './talk.ts'
import type { ToolCall } from './tools.ts'
import { checkedCalls } from './tools.ts'
import { unfit } from './unfit.ts'
import { createWordLines } from './word-lines.ts'

/** An answer that comes all at once, with what services put around it. */
const wholeBytesMax = 10_000_000
/** Of a call in the log; its arguments are whole in the output. */
const callLengthMax = 4_000

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
          (response) => read(response, parameters, context),
        ),
      )
      return outcomeOf(answer, parameters, { asked: body, context })
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

async function read(
  response: GuardedResponse,
  { apiKey }: AskModelParameters,
  context: TaskContext,
): Promise<ModelAnswer> {
  if (response.status !== 200) throw await refusedAnswer(response, 'The model’s service', context)
  const tell = (text: string) => context.log({ level: 'info', stream: 'model', text })
  // The key is the only secret that a question may hold.
  const lines = createWordLines(tell, !/\s/.test(apiKey))
  const reader = createAnswerReader((piece) => {
    context.beat()
    lines.add(piece)
  })
  if ((response.headers['content-type'] ?? '').includes('json'))
    readWhole(await responseText(response, wholeBytesMax), reader)
  else await readEvents(response.body, reader)
  lines.end()
  return reader.answer()
}

/** What is handed on, by the answer’s way or by that of the tools. */
function outcomeOf(
  answer: ModelAnswer,
  parameters: AskModelParameters,
  { asked, context }: { readonly asked: string; readonly context: TaskContext },
): TaskOutcome {
  const { text, finish } = answer
  if (finish === 'content_filter') {
    throw new SagasmithError('model_refused', {
      message: 'The service held the answer back by its own rules.',
    })
  }
  const told = {
    text,
    model: answer.model === '' ? parameters.model : answer.model,
    finish,
    usage: { inputTokens: answer.inputTokens, outputTokens: answer.outputTokens },
    cost: costOf(parameters, answer, asked),
  }
  const calls = checkedCalls(answer.calls, parameters)
  if (parameters.tools.length === 0) return completed({ ...told, ...jsonOf(answer, parameters) })
  for (const call of calls) tellCall(call, context)
  const talk = { toolCalls: calls.map((call) => ({ ...call })), messages: talkOn(parameters, answer, calls) }
  if (calls.length > 0) return completed({ ...told, ...talk }, ['tools'])
  return completed({ ...told, ...talk, ...jsonOf(answer, parameters) }, ['out'])
}

function tellCall({ name, arguments: given }: ToolCall, context: TaskContext): void {
  const text = tellable(context, `Calls ${name} ${JSON.stringify(given)}`)
  const isLong = text.length > callLengthMax
  context.log({
    level: 'info',
    stream: 'model',
    text: isLong ? `${text.slice(0, callLengthMax)}…` : text,
  })
}

const jsonOf = (answer: ModelAnswer, parameters: AskModelParameters): JsonObject =>
  parameters.answer === 'text' ? {} : { json: checkedJson(answer, parameters) }

function checkedJson({ text, finish }: ModelAnswer, parameters: AskModelParameters): JsonValue {
  if (finish === 'length')
    throw unfit(`The answer is longer than ${parameters.maxTokens} tokens and was cut.`)
  // Some models put a fence around it, whatever they are told.
  const value = parseJson(text.trim().replace(/^```(?:json)?\s*|\s*```$/g, ''))
  if (!value.ok) throw unfit('The answer is not JSON.')
  const { problems } = validateInput(schemaOf(parameters), value.value)
  const [first] = problems
  if (first === undefined) return value.value
  throw unfit(`The answer doesn’t fit the schema: ${first.message}`, problems)
}
