/** What a web call to a step gets: whether it is believed and fits, and whether the step goes on with it. */

import { createHash } from 'node:crypto'
import type { CalledStep, CallStanding } from '../../core/web-calls.ts'
import { callStanding, takeCall } from '../../core/web-calls.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId, WorkflowId } from '../../model/ids.ts'
import { nodeId, opId, runIdOf } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { Payload } from '../../model/payload.ts'
import type { Ids, Logger } from '../../model/ports.ts'
import type { BufferedSignal } from '../../model/run.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { CallAuth, CallRules } from '../../tasks/wait-webhook/spec.ts'
import { callRulesOf, callSecretOf } from '../../tasks/wait-webhook/spec.ts'
import type { HttpAnswer } from '../../triggers/webhook/answer-shape.ts'
import { textAnswer } from '../../triggers/webhook/answer-shape.ts'
import type { Proof } from '../../triggers/webhook/proof.ts'
import { readCall } from '../../triggers/webhook/read-call.ts'
import type { WebhookAuth } from '../../triggers/webhook/spec.ts'
import { verifyCall } from '../../triggers/webhook/verify-call.ts'
import type { WebCall } from '../../triggers/webhook/web-call.ts'
import { headerOf } from '../../triggers/webhook/web-call.ts'
import type { Claimer } from '../claimer.ts'
import type { Definitions } from '../definitions.ts'
import { loadRunState } from '../load-run-state.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { MakeDecision } from '../run-book.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { surelyThere } from '../surely-there.ts'
import { isTrueOf } from './call-condition.ts'
import type { SecretOfStep } from './webhook-desk.ts'

export interface CallbackParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Pick<Runner, 'context'>
  readonly claimer: Pick<Claimer, 'poke'>
  readonly payloads: PayloadStore
  readonly definitions: Definitions
  readonly log: Logger
  readonly ids: Ids
}

/** The step whose address was called, with what its document says of calls. */
interface Called extends CalledStep {
  readonly workflowId: WorkflowId
  readonly rules: CallRules
}

const gone = textAnswer(410, 'Nobody waits for this call any more.')
const racesMax = 20
const markChars = 22

/** Answers one call of an address that we gave out. Rejects when the store can't be reached: nothing was taken. */
export async function answerCallback(
  parts: CallbackParts,
  { id, call }: { readonly id: InvocationId; readonly call: WebCall },
  secret: SecretOfStep,
): Promise<HttpAnswer> {
  const called = await calledStep(parts, id)
  if (called === null) return gone
  const { rules } = called
  const refusal = refusalOf(call, rules)
  if (refusal !== null) return refusal
  const proof = verifyCall(asWebhookAuth(rules.auth), call, await secretsOf(called, secret))
  if (proof.kind === 'disbelieved') {
    parts.log.warn('callback.disbelieved', { invocation: id, reason: proof.reason, remote: call.remote })
    return disbelief(rules.auth)
  }
  const read = readCall(call, rules.auth.kind === 'hmac' ? rules.auth.header.toLowerCase() : '')
  if (read.kind === 'unreadable') return textAnswer(400, read.text)
  const { path: _none, ...payload } = read.payload
  const misfit = await misfitOf(parts, rules, payload)
  if (misfit !== null) return textAnswer(422, misfit)
  const outcome = await take(parts, called, { message: messageOf(parts, { call, rules, proof }), payload })
  return outcome === 'gone' ? gone : takenAnswer(rules)
}

/** Null for a step that there isn't, or that waits for no web calls. */
async function calledStep(
  { dependencies, definitions }: CallbackParts,
  id: InvocationId,
): Promise<Called | null> {
  const { store, partition } = dependencies
  const runId = runIdOf(id)
  const place = /^([^@#~]+)(?:@([^#~]*))?(?:#\d+)?$/.exec(id.slice(runId.length + 1))
  if (place === null) return null
  const run = await store.load(partition, 'run', { runId })
  if (run === null) return null
  const node = (await definitions.compiled(run.definitionHash)).nodeById.get(nodeId(place[1] ?? ''))
  if (node?.kind !== 'wait-webhook') return null
  const rules = callRulesOf(node.parameters)
  if (rules === null) return null
  const { workflowId } = run
  return { id, nodeId: node.id, path: place[2] ?? '', wanted: rules.calls, workflowId, rules }
}

function refusalOf(call: WebCall, { method, maxBodyBytes }: CallRules): HttpAnswer | null {
  const allowed: readonly string[] = method === 'any' ? ['POST', 'PUT', 'GET'] : [method]
  if (!allowed.includes(call.method)) {
    const { headers, ...answer } = textAnswer(405, 'This address is called in another way.')
    return { ...answer, headers: { ...headers, allow: allowed.join(', ') } }
  }
  return call.body.length > maxBodyBytes
    ? textAnswer(413, 'The body is larger than this address takes.')
    : null
}

/** The secrets are asked for beside it. */
function asWebhookAuth(auth: CallAuth): WebhookAuth {
  return auth.kind === 'none' ? auth : { ...auth, secret: '', previousSecret: '' }
}

async function secretsOf(called: Called, secret: SecretOfStep): Promise<readonly string[]> {
  const wanted = callSecretOf(called.rules.auth)
  if (wanted === null) return []
  const value = 'text' in wanted ? wanted.text : await secret(wanted.name, called)
  return value === null ? [] : [value]
}

/** The same for every reason: who isn't believed learns nothing of how close it came. */
function disbelief(auth: CallAuth): HttpAnswer {
  const answer = textAnswer(401, 'This call is not believed.')
  const challenge = auth.kind === 'basic' ? { 'www-authenticate': 'Basic realm="callback"' } : {}
  return { ...answer, headers: { ...answer.headers, ...challenge } }
}

/** Why a believed call is not taken, in words for its caller; null when it fits. */
async function misfitOf(
  { dependencies, log }: CallbackParts,
  { check, schema, condition }: CallRules,
  payload: JsonObject,
): Promise<string | null> {
  if (check === 'none') return null
  if (check === 'schema') {
    const wanted = (schema ?? null) as JsonValue
    const [problem] = isJsonObject(wanted) ? validateInput(wanted, payload['body'] ?? null).problems : []
    return problem === undefined ? null : `The body doesn’t fit: ${problem.message}`
  }
  try {
    const { host } = dependencies.executor
    const fits = await isTrueOf({ host, now: dependencies.clock.now() }, condition, payload)
    return fits ? null : 'The call doesn’t fit.'
  } catch (thrown) {
    log.warn('callback.condition_failed', { reason: recordOfThrown(thrown).message })
    return 'The call doesn’t fit.'
  }
}

/**
 * The same for each try of a message. A sender that names none is known by what it sends, where one call is
 * waited for; where more are, each counts.
 */
function messageOf(
  { ids }: CallbackParts,
  said: {
    readonly call: WebCall
    readonly rules: CallRules
    readonly proof: Extract<Proof, { readonly kind: 'believed' }>
  },
): string {
  const { call, proof } = said
  const { calls } = said.rules
  const named = proof.messageId ?? (headerOf(call, 'idempotency-key') || headerOf(call, 'webhook-id'))
  if (named !== '') return callMarkOf(named)
  const hash = createHash('sha256')
  if (calls > 1 && proof.tryId !== null) hash.update(`try\n${proof.tryId}`)
  else if (calls > 1) hash.update(`one\n${ids.next()}`)
  else hash.update(`what\n${call.method}\n${call.query}\n`).update(call.body)
  return hash.digest('base64url').slice(0, markChars)
}

/** What stays of a message whose sender names it. */
export const callMarkOf = (name: string): string =>
  createHash('sha256').update(`id\n${name}`).digest('base64url').slice(0, markChars)

type Outcome = 'taken' | Exclude<CallStanding['kind'], 'open'>

async function take(
  parts: CallbackParts,
  step: Called,
  call: { readonly message: string; readonly payload: JsonObject },
): Promise<Outcome> {
  const { dependencies } = parts
  const { executor, store } = dependencies
  const runId = runIdOf(step.id)
  for (let races = 0; races < racesMax; races += 1) {
    const state =
      dependencies.book.cachedState(runId) ??
      (await loadRunState({ ...dependencies, definitions: parts.definitions }, runId))
    const standing = callStanding(state, step, call.message)
    const kept = standing.kind === 'open' ? standing.kept : null
    const payload = await joined(parts, step, { kept, payload: call.payload })
    executor.failpoints('signal.before-commit')
    const made: { outcome: Outcome | 'changed' } = { outcome: 'taken' }
    const make: MakeDecision = (now) => {
      const context = parts.runner.context({
        actor: 'operator',
        cause: { kind: 'call', by: call.message, detail: step.nodeId },
        opId: opId(`call:${step.id}:${call.message}`),
        runId,
        claims: false,
      })
      const decided = takeCall(now, context, { step, message: call.message, kept, payload })
      made.outcome = typeof decided === 'string' ? decided : 'taken'
      return typeof decided === 'string' ? null : decided
    }
    await surelyThere(store, runId, {
      look: () => dependencies.book.decide(runId, make),
      isThere: () => made.outcome === 'known',
    })
    executor.failpoints('signal.after-commit')
    parts.claimer.poke()
    if (made.outcome !== 'changed') return made.outcome
  }
  throw new Error('Calls of a step came between one another all the time.')
}

/** What the step goes on with, once it has all: the call itself, or the list of all so far. */
async function joined(
  { payloads }: CallbackParts,
  { wanted }: CalledStep,
  call: { readonly kept: BufferedSignal | null; readonly payload: JsonObject },
): Promise<Payload> {
  if (wanted === 1) return payloads.keep(JSON.stringify(call.payload), taskOutputBytesMax)
  const before = call.kept === null ? [] : await payloads.value(call.kept.payload)
  const list = Array.isArray(before) ? [...(before as readonly JsonValue[]), call.payload] : [call.payload]
  return payloads.keep(JSON.stringify(list), taskOutputBytesMax)
}

function takenAnswer({ answerStatus, answerBody }: CallRules): HttpAnswer {
  const { headers } = textAnswer(answerStatus, '')
  const type = isJsonText(answerBody) ? { 'content-type': 'application/json; charset=utf-8' } : {}
  return { status: answerStatus, headers: { ...headers, ...type }, body: answerBody }
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    // Then it is words that begin with a bracket.
    return false
  }
}
