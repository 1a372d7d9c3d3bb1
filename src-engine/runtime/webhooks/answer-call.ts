/** What a web call gets: whether it is believed, the run that it starts, and the answer that the trigger says. */

import { recordOfThrown } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { TriggerName } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import { answerOfOutput, jsonAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { DisbeliefReason } from '../../triggers/webhook/proof.ts'
import { readCall } from '../../triggers/webhook/read-call.ts'
import type { WebhookAuth, WebhookParameters } from '../../triggers/webhook/spec.ts'
import { secretNamesOf, verifyCall } from '../../triggers/webhook/verify-call.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import type { StoredTrigger } from '../triggers/trigger-registers.ts'
import type { ListenedCall } from './listener-message.ts'
import type { CallStart, CallToStart } from './start-call.ts'
import type { SecretOfCalls } from './webhook-desk.ts'

export interface CallAnswerParts {
  readonly clock: Clock
  readonly log: Logger
  readonly loadTrigger: (name: TriggerName) => Promise<StoredTrigger | null>
  readonly secret: SecretOfCalls
  readonly start: (given: CallToStart) => Promise<CallStart>
  /** Resolves with what the run gave, or the step of it; throws what became of it otherwise. */
  readonly output: (wanted: WantedOutput, signal: AbortSignal) => Promise<JsonValue>
}

export interface WantedOutput {
  readonly runId: RunId
  readonly nodeId: string | null
}

const plain = { 'content-type': 'text/plain; charset=utf-8' }
const textAnswer = (status: number, text: string): HttpAnswer => ({
  status,
  headers: plain,
  body: `${text}\n`,
})

/** As the listener says it of every other address. */
const unknownAddress = textAnswer(404, 'There is nothing here.')

/** Answers one call of a live address; never throws. */
export async function answerCall(
  parts: CallAnswerParts,
  given: { readonly name: TriggerName; readonly call: ListenedCall; readonly signal: AbortSignal },
): Promise<HttpAnswer> {
  const { name, signal } = given
  const trigger = await parts.loadTrigger(name)
  if (trigger === null || trigger.record.kind !== 'webhook' || !isTriggerOn(trigger.record))
    return unknownAddress
  const parameters = parametersOf(trigger)
  const call = webCallOf(given.call, parts.clock)
  const checked = await checkCall(parts, { name, auth: parameters.auth, call })
  if (checked.kind === 'answer') return checked.answer
  const { proof, input } = checked
  const started = await parts.start({ trigger, call, proof, input })
  if ('runId' in started) return answerOfRun(parts, { parameters, started, signal })
  return refusalOf(started)
}

function refusalOf(started: Exclude<CallStart, { readonly runId: RunId }>): HttpAnswer {
  if (started.kind === 'refused') return textAnswer(422, started.words)
  if (started.kind === 'gone') return unknownAddress
  if (started.kind === 'replayed') return textAnswer(409, 'This very call came before.')
  const { headers, ...answer } = textAnswer(503, 'Too many calls at a time.')
  return { ...answer, headers: { ...headers, 'retry-after': '1' } }
}

/** They went through the spec's schema when the trigger was published. */
const parametersOf = ({ record }: StoredTrigger): WebhookParameters =>
  record.parameters as unknown as WebhookParameters

/** The call with the instant at which it reached the engine. */
function webCallOf(given: ListenedCall, clock: Pick<Clock, 'now'>): WebCall {
  const { method, path, query, headers, bodyBase64, remote } = given
  return { method, path, query, headers, body: Buffer.from(bodyBase64, 'base64'), remote, at: clock.now() }
}

type CheckedCall =
  | { readonly kind: 'accepted'; readonly proof: CallToStart['proof']; readonly input: JsonObject }
  | {
      readonly kind: 'answer'
      readonly answer: HttpAnswer
      readonly reason: DisbeliefReason | 'unreadable' | null
    }

/** Who called, and what they said; an answer for whom nothing is started. */
async function checkCall(
  parts: Pick<CallAnswerParts, 'secret' | 'log'>,
  given: { readonly name: TriggerName; readonly auth: WebhookAuth; readonly call: WebCall },
): Promise<CheckedCall> {
  const { name, auth, call } = given
  const found = await Promise.all(secretNamesOf(auth).map((secret) => parts.secret(secret, name)))
  const proof = verifyCall(
    auth,
    call,
    found.filter((value) => value !== null),
  )
  if (proof.kind === 'disbelieved') {
    parts.log.warn('webhook.disbelieved', { ...name, reason: proof.reason, remote: call.remote })
    // The same for every reason: who isn't believed learns nothing of how close it came.
    const answer = textAnswer(401, 'This call is not believed.')
    const challenge = auth.kind === 'basic' ? { 'www-authenticate': 'Basic realm="webhook"' } : {}
    return {
      kind: 'answer',
      answer: { ...answer, headers: { ...answer.headers, ...challenge } },
      reason: proof.reason,
    }
  }
  const read = readCall(call, auth.kind === 'hmac' ? auth.header.toLowerCase() : '')
  if (read.kind === 'unreadable')
    return { kind: 'answer', answer: textAnswer(400, read.text), reason: 'unreadable' }
  const challenge = slackChallenge(auth, read.payload)
  if (challenge !== null) return { kind: 'answer', answer: textAnswer(200, challenge), reason: null }
  return { kind: 'accepted', proof, input: read.payload }
}

/** Slack asks once whether the address is its user's; that starts nothing. */
function slackChallenge(auth: WebhookAuth, { body }: JsonObject): string | null {
  if (auth.kind !== 'slack' || !isJsonObject(body) || body['type'] !== 'url_verification') return null
  return typeof body['challenge'] === 'string' ? body['challenge'] : null
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
