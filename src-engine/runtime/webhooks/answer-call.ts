/** What a web call gets: whether it is believed, the run that it starts, and the answer that the trigger says. */

import { recordOfThrown } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Clock } from '../../model/ports.ts'
import type { TriggerName } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import { answerOfOutput, jsonAnswer, textAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { WebhookParameters } from '../../triggers/webhook/spec.ts'
import { secretNamesOf } from '../../triggers/webhook/verify-call.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import { loadTrigger } from '../triggers/trigger-registers.ts'
import type { CaptureParts } from './capture-call.ts'
import { captureCall } from './capture-call.ts'
import { checkCall } from './check-call.ts'
import type { ListenedCall } from './listener-message.ts'
import { loadTest } from './open-tests.ts'
import type { CallStart } from './start-call.ts'
import { startCall } from './start-call.ts'
import type { CallToAnswer, SecretOfCalls } from './webhook-desk.ts'
import { parametersOf } from './webhook-desk.ts'

export interface CallAnswerParts extends CaptureParts {
  readonly clock: Clock
  /** Resolves with what the run gave, or the step of it; throws what became of it otherwise. */
  readonly output: (wanted: WantedOutput, signal: AbortSignal) => Promise<JsonValue>
}

export interface WantedOutput {
  readonly runId: RunId
  readonly nodeId: string | null
}

/** As the listener says it of every other address. */
const unknownAddress = textAnswer(404, 'There is nothing here.')

/** Answers one call of a live address; never throws. */
export async function answerCall(
  parts: CallAnswerParts,
  { name, call: given, signal }: CallToAnswer,
  secret: SecretOfCalls,
): Promise<HttpAnswer> {
  const trigger = await loadTrigger(parts, name)
  if (trigger === null || trigger.record.kind !== 'webhook' || !isTriggerOn(trigger.record))
    return unknownAddress
  const parameters = parametersOf(trigger.record)
  const call = webCallOf(given, parts.clock)
  const secrets = await secretsOf(secret, name, parameters)
  const checked = await checkCall(parts, { name, parameters, secrets, call })
  if (checked.kind !== 'accepted') return checked.answer
  const { proof, wanted } = checked
  const started = await startCall(parts, { trigger, call, proof, wanted })
  if ('runId' in started) return answerOfRun(parts, { parameters, started, signal })
  return refusalOf(started)
}

/** Hears one call of a test address. */
export async function answerTestCall(
  parts: CallAnswerParts,
  { name, call }: CallToAnswer,
  secret: SecretOfCalls,
): Promise<HttpAnswer> {
  const test = await loadTest(parts, name)
  if (test === null) return unknownAddress
  const secrets = await secretsOf(secret, name, test.parameters)
  return captureCall(parts, { test, secrets, call: webCallOf(call, parts.clock) })
}

async function secretsOf(
  secret: SecretOfCalls,
  name: TriggerName,
  { auth }: WebhookParameters,
): Promise<readonly string[]> {
  const found = await Promise.all(secretNamesOf(auth).map((one) => secret(one, name)))
  return found.filter((value) => value !== null)
}

function refusalOf(started: Exclude<CallStart, { readonly runId: RunId }>): HttpAnswer {
  if (started.kind === 'ignored') return jsonAnswer(200, { isIgnored: true })
  if (started.kind === 'refused') return textAnswer(422, started.words)
  if (started.kind === 'taken') return textAnswer(202, 'It was taken.')
  if (started.kind === 'gone') return unknownAddress
  if (started.kind === 'replayed') return textAnswer(409, 'This very call came before.')
  const { headers, ...answer } = textAnswer(503, 'Too many calls at a time.')
  return { ...answer, headers: { ...headers, 'retry-after': '1' } }
}

/** The call with the instant at which it reached the engine. */
export function webCallOf(given: ListenedCall, clock: Pick<Clock, 'now'>): WebCall {
  const { method, path, query, headers, bodyBase64, remote } = given
  return { method, path, query, headers, body: Buffer.from(bodyBase64, 'base64'), remote, at: clock.now() }
}

interface StartedRun {
  readonly parameters: WebhookParameters
  readonly started: Extract<CallStart, { readonly runId: RunId }>
  readonly signal: AbortSignal
}

async function answerOfRun(parts: CallAnswerParts, run: StartedRun): Promise<HttpAnswer> {
  const { parameters, started } = run
  const { runId } = started
  const isKnown = started.kind === 'known' ? { isDuplicate: true } : {}
  const accepted = jsonAnswer(started.kind === 'known' ? 200 : 202, { runId, ...isKnown })
  const { respond } = parameters
  if (respond.kind === 'now') return accepted
  const nodeId = respond.kind === 'node' ? respond.node : null
  const limit = new AbortController()
  const cancel = parts.clock.after(parameters.answerTimeoutMs, () => limit.abort())
  try {
    return answerOfOutput(await parts.output({ runId, nodeId }, AbortSignal.any([run.signal, limit.signal])))
  } catch (thrown) {
    // The run goes on; who has its id can ask for it.
    if (limit.signal.aborted || run.signal.aborted) return accepted
    const { code, message } = recordOfThrown(thrown)
    return jsonAnswer(500, { runId, code, message })
  } finally {
    cancel()
  }
}
