/**
 * One attempt from its start to its committed end: resolve the parameters, run the task, report. Whatever
 * the task does, the attempt ends in exactly one decision.
 */

import type { AttemptEnd } from '../core/finish-attempt.ts'
import type { StopRule } from '../core/step-rules.ts'
import { stopsAfter } from '../core/stop-run.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord, recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { Reused } from '../model/invocation.ts'
import type { JsonValue } from '../model/json.ts'
import type { OutputCheck } from '../model/output/output-check.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import { eachText, redactAt, takingOut } from '../model/redact-paths.ts'
import { spanText as ageText, shortened } from '../model/summary.ts'
import type { Instant } from '../model/time.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import { asked } from './approvals/asked.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { ReusedOutcome } from './cache/take-over.ts'
import { guarded } from './circuits/guarded.ts'
import type { Execution } from './execution.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import { keptInput, keptLike, keptOutput } from './kept-output.ts'
import { opens } from './opened-body.ts'
import { emitted } from './outbox/emitted.ts'
import type { OutputJudge } from './output-policy/output-judge.ts'
import { refuseWrongOutput } from './output-schema.ts'
import type { PayloadStore } from './payload-store.ts'
import { retryConditionFor, withAnswer } from './retry-condition.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { SkippedOutcome, WorkOutcome } from './skip-condition.ts'
import { asksToStop, stopRuleFor } from './stop-condition.ts'
import { redactedError, redactedOutcome } from './vault/attempt-secrets.ts'

export interface AttemptReport {
  readonly end: AttemptEnd
  readonly input: Payload | null
  readonly log: Payload | null
  /** What the output policy took out of the output; absent where it took nothing. */
  readonly redacted?: OutputCheck
}

/**
 * Executes the attempt; a promise only where something takes its time. Never throws, and never rejects: every
 * way it can end is a report.
 */
export function executeAttempt(
  dependencies: ExecutorDependencies,
  work: AttemptWork,
  execution: Execution,
): AttemptReport | Promise<AttemptReport> {
  const attempt = new RunningAttempt(dependencies, work, execution)
  let end: AttemptEnd | Promise<AttemptEnd>
  try {
    dependencies.failpoints('attempt.before-execute')
    end = runToEnd(dependencies, attempt)
  } catch (thrown) {
    end = endOfError(dependencies, attempt, recordOfThrown(thrown))
  }
  return end instanceof Promise ? reportLater(dependencies, attempt, end) : report(dependencies, attempt, end)
}

async function reportLater(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  ending: Promise<AttemptEnd>,
): Promise<AttemptReport> {
  let end: AttemptEnd
  try {
    end = await ending
  } catch (thrown) {
    end = endOfError(dependencies, attempt, recordOfThrown(thrown))
  }
  return report(dependencies, attempt, end)
}

function report(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  end: AttemptEnd,
): AttemptReport | Promise<AttemptReport> {
  const { work } = attempt
  if ((end.kind !== 'failed' && end.kind !== 'timed-out') || retryConditionFor(work, end.error) === null)
    return reportEnd(dependencies, attempt, end)
  const asked = withAnswer(dependencies, { work, end }, ({ level, text }) =>
    attempt.log.add({ at: dependencies.clock.now(), level, stream: 'task', text }),
  )
  return asked.then((answered) => reportEnd(dependencies, attempt, answered))
}

function reportEnd(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  end: AttemptEnd,
): AttemptReport | Promise<AttemptReport> {
  attempt.close()
  dependencies.failpoints('attempt.effect-done')
  const { input, redacted } = attempt
  const lines = attempt.log.json()
  if (lines === null && !isPutAway(attempt))
    return redacted === null ? { end, input, log: null } : { end, input, log: null, redacted }
  return reportKept(dependencies, attempt, { end, lines })
}

async function reportKept(
  { payloads }: ExecutorDependencies,
  attempt: RunningAttempt,
  { end, lines }: { readonly end: AttemptEnd; readonly lines: string | null },
): Promise<AttemptReport> {
  const { redacted } = attempt
  const log = lines === null ? null : await keptLog(payloads, lines)
  const input = isPutAway(attempt)
    ? await keptInput(payloads, attempt.work.node, attempt.input.json)
    : attempt.input
  return redacted === null ? { end, input, log } : { end, input, log, redacted }
}

/** Whether its parameters were not kept until it was known what is taken out of them; see running-attempt.ts. */
const isPutAway = (
  attempt: RunningAttempt,
): attempt is RunningAttempt & { readonly input: Extract<Payload, { readonly kind: 'inline' }> } =>
  attempt.work.node.redact.length > 0 && attempt.input?.kind === 'inline'

/** A log that can't be stored must not take the attempt's end with it. */
async function keptLog(payloads: PayloadStore, json: string): Promise<Payload | null> {
  try {
    return await payloads.keep(json)
  } catch (thrown) {
    const text = `The log could not be stored: ${recordOfThrown(thrown).message}`
    return inlinePayload(JSON.stringify([{ at: 0, level: 'error', stream: 'task', text }]))
  }
}

function runToEnd(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
): AttemptEnd | Promise<AttemptEnd> {
  if (attempt.execution.stopReason() !== null) return stoppedEnd(dependencies, attempt)
  const outcome = attempt.run()
  return outcome instanceof Promise
    ? outcome.then((told) => endOf(dependencies, attempt, told))
    : endOf(dependencies, attempt, outcome)
}

/** What a task's outcome means, with what it gave put where it is kept. */
function endOf(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  raw: WorkOutcome,
): AttemptEnd | Promise<AttemptEnd> {
  const { payloads } = dependencies
  const reason = attempt.execution.stopReason()
  // It may have passed without a timer that told.
  const late = attempt.deadline.isPast()
  if (reason === 'timeout' || reason === 'lost' || late) return stoppedEnd(dependencies, attempt)
  if (raw.kind === 'skipped') return skippedEnd(dependencies, attempt, raw)
  const told = withoutSecrets(attempt, raw)
  if (told.kind === 'items' || told.kind === 'turn') return opens(payloads, attempt.work, told)
  if (told.kind === 'guards') return guarded(dependencies, attempt.work, told)
  if (told.kind === 'asks') return asked(payloads, attempt, told)
  if (told.kind === 'calls') return dependencies.calls.prepare(told, attempt.work)
  if (told.kind === 'steers') return steered(dependencies, attempt, told)
  const { node } = attempt.work
  const outcome = withoutRedacted(attempt, told)
  if (node.outputSchema !== null) refuseWrongOutput(node, told.output ?? null)
  const kept = keptOutput(payloads, attempt.work, outcome.output ?? null)
  const { outputs } = dependencies
  if (outputs?.isOn() === true) return judgedEnd({ ...dependencies, outputs }, attempt, { outcome, kept })
  return kept instanceof Promise
    ? kept.then((output) => endWith(dependencies, attempt, { outcome, output }))
    : endWith(dependencies, attempt, { outcome, output: kept })
}

/** What had a secret in it isn't kept for later runs. */
function withoutSecrets(
  attempt: RunningAttempt,
  raw: TaskOutcome | ReusedOutcome,
): TaskOutcome | ReusedOutcome {
  const { redactor } = attempt
  if (redactor === null || raw.kind === 'reused') return raw
  const redacted = redactedOutcome(raw, redactor)
  if (attempt.keepAs !== null && JSON.stringify(redacted) !== JSON.stringify(raw)) attempt.keepAs = null
  return redacted
}

/** What its document has taken out of its output is taken out of all that is written of it, its parameters too. */
function withoutRedacted(attempt: RunningAttempt, told: Handing): Handing {
  const { redact } = attempt.work.node
  if (redact.length === 0) return told
  const { value, taken } = redactAt(told.output ?? null, redact)
  const without = takingOut(taken)
  attempt.log.takeOut(without)
  if (attempt.input?.kind === 'inline') {
    const input = eachText(JSON.parse(attempt.input.json) as JsonValue, without)
    attempt.input = { kind: 'inline', json: JSON.stringify(input) }
  }
  return { ...told, output: value }
}

/** The end of an attempt whose result somebody judges before others see it. */
async function judgedEnd(
  dependencies: ExecutorDependencies & { readonly outputs: OutputJudge },
  attempt: RunningAttempt,
  given: { readonly outcome: Handing; readonly kept: Payload | Promise<Payload> },
): Promise<AttemptEnd> {
  const { payloads, outputs } = dependencies
  const { run, record } = attempt.work
  const { outcome } = given
  const output = await given.kept
  const judgement = await outputs.judge({ run, record, value: outcome.output ?? null, output })
  if (judgement.kind === 'withheld') return { kind: 'withheld', check: withPorts(judgement.check, outcome) }
  if (judgement.kind === 'passes') return endWith(dependencies, attempt, { outcome, output })
  const copy = await keptLike(payloads, output, judgement.value)
  attempt.redacted = judgement.check
  return endWith(dependencies, attempt, { outcome: { ...outcome, output: judgement.value }, output: copy })
}

/** Where its success would have gone. */
const withPorts = (check: OutputCheck, outcome: Handing): OutputCheck =>
  outcome.kind === 'completed' || outcome.kind === 'reused' ? { ...check, ports: outcome.ports } : check

type Handing =
  | Exclude<TaskOutcome, { readonly kind: 'items' | 'turn' | 'guards' | 'asks' | 'calls' | 'steers' }>
  | ReusedOutcome

/** The end of an attempt that hands something on. */
function endWith(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  { outcome, output }: { readonly outcome: Handing; readonly output: Payload },
): AttemptEnd | Promise<AttemptEnd> {
  const { payloads, failpoints, clock } = dependencies
  if (output.kind === 'blob') failpoints('attempt.output-stored')
  if (outcome.kind === 'completed' || outcome.kind === 'reused')
    return givenEnd(dependencies, attempt, { outcome, output })
  if (outcome.kind === 'awaits') {
    const { name, correlation, until: wakeAt, onTimeout, calls, count } = outcome
    const wait = {
      kind: 'signal',
      name,
      correlation,
      onTimeout,
      ...(calls === undefined ? {} : { calls }),
      ...(count === undefined ? {} : { count }),
    } as const
    return { kind: 'awaits', wait, until: wakeAt, output }
  }
  if (outcome.kind === 'emits')
    return emitted(payloads, outcome, { record: attempt.work.record, output, at: clock.now() })
  if (outcome.kind === 'stops') return stopEnd(attempt, outcome, output)
  if (outcome.kind === 'leaves') return { kind: 'leaves', how: outcome.how, output }
  return { kind: 'parked', until: outcome.until, reason: outcome.reason, output }
}

type Given = Extract<Handing, { readonly kind: 'completed' | 'reused' }>

/** The end of an attempt whose step gives something: a promise only where that is kept, or asked about. */
function givenEnd(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  given: { readonly outcome: Given; readonly output: Payload },
): AttemptEnd | Promise<AttemptEnd> {
  const { outcome, output } = given
  const isReused = outcome.kind === 'reused'
  if (isReused) noteReuse(attempt, outcome.reused, dependencies.clock.now())
  const rule = stopRuleFor(attempt.work)
  if (rule !== null || (attempt.keepAs !== null && !isReused))
    return askedEnd(dependencies, attempt, { ...given, rule })
  return plainEnd(outcome, output)
}

function plainEnd(outcome: Given, output: Payload): AttemptEnd {
  const { ports } = outcome
  if (outcome.kind === 'completed') return { kind: 'succeeded', output, ports }
  return { kind: 'reused', output, ports, reused: outcome.reused }
}

async function askedEnd(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  given: { readonly outcome: Given; readonly output: Payload; readonly rule: StopRule | null },
): Promise<AttemptEnd> {
  const { outcome, output, rule } = given
  const { work, keepAs, redacted } = attempt
  const value = outcome.output
  const stops =
    rule !== null && (await asksToStop(dependencies, work, { condition: rule.condition, output: value }))
  const { cache } = work.node
  // Before it is recorded, so that a run which begins once it is finds it; see kept-results.ts. What the output policy
  // took something out of isn't kept.
  if (keepAs !== null && redacted === null && cache !== null && outcome.kind === 'completed')
    await dependencies.kept?.note(keepAs, { ttlMs: cache.ttlMs, id: work.record.id })
  if (!stops) return plainEnd(outcome, output)
  const condition = shortened(rule.condition)
  const text = `Ends the run, because this is true: ${condition}`
  attempt.log.add({ at: dependencies.clock.now(), level: 'info', stream: 'task', text })
  const reused = outcome.kind === 'reused' ? outcome.reused : undefined
  return stopsAfter(work.record, { condition, status: rule.status }, { output, reused })
}

function noteReuse({ log }: RunningAttempt, { from, at }: Reused, now: Instant): void {
  const text = `Didn’t run: a result of ${ageText(now - at)} ago stands for it. ${from} gave it.`
  log.add({ at: now, level: 'info', stream: 'task', text })
}

/** Only an engine with a store of its own has other runs. */
function steered(
  { steering }: ExecutorDependencies,
  { work }: RunningAttempt,
  outcome: Extract<TaskOutcome, { readonly kind: 'steers' }>,
): Promise<AttemptEnd> {
  if (steering !== undefined) return steering.prepare(outcome, work)
  return Promise.reject(new SagasmithError('no_other_runs'))
}

async function skippedEnd(
  { payloads, clock }: ExecutorDependencies,
  attempt: RunningAttempt,
  { condition, handsOn }: SkippedOutcome,
): Promise<AttemptEnd> {
  const text = `Doesn’t run, because this is true: ${condition}`
  attempt.log.add({ at: clock.now(), level: 'info', stream: 'task', text })
  const output = handsOn === null ? null : await payloads.keep(JSON.stringify(handsOn.input))
  return { kind: 'skipped', condition: shortened(condition), output }
}

function stopEnd(
  attempt: RunningAttempt,
  outcome: Extract<TaskOutcome, { readonly kind: 'stops' }>,
  output: Payload,
): AttemptEnd {
  const { status, message, code } = outcome
  const said = message === '' ? `“${attempt.work.record.nodeId}” ended the run as failed.` : message
  const stopped = errorRecord('run_stopped', { message: said })
  const error = code === undefined ? stopped : { ...stopped, code, details: { stopped: true } }
  return { kind: 'stops', status, output, error }
}

function endOfError(
  dependencies: ExecutorDependencies,
  attempt: RunningAttempt,
  thrown: ErrorRecord,
): AttemptEnd {
  const reason = attempt.execution.stopReason()
  if (reason !== null) return stoppedEnd(dependencies, attempt)
  if (attempt.isVerifying) return unsureEnd(dependencies, attempt, thrown.message)
  const error = attempt.redactor === null ? thrown : redactedError(thrown, attempt.redactor)
  attempt.log.add({ at: dependencies.clock.now(), level: 'error', stream: 'task', text: error.message })
  return { kind: 'failed', error, random: dependencies.random.next() }
}

function stoppedEnd(dependencies: ExecutorDependencies, attempt: RunningAttempt): AttemptEnd {
  const reason = attempt.execution.stopReason() ?? 'timeout'
  if (reason === 'cancel') return { kind: 'cancelled' }
  if (reason === 'stop' || reason === 'lost' || reason === 'pause')
    return { kind: 'handed-back', begun: attempt.execution.progress() === 'begun' }
  const { record, node } = attempt.work
  if (attempt.beats?.fellSilent() === true && !attempt.isVerifying) return silentEnd(dependencies, attempt)
  const message = `“${record.nodeId}” took longer than its timeout of ${spanText(node.attemptTimeoutMs)}.`
  if (attempt.isVerifying) return unsureEnd(dependencies, attempt, message)
  const error = errorRecord('task_timeout', { message, details: { timeoutMs: node.attemptTimeoutMs } })
  return { kind: 'timed-out', error, random: dependencies.random.next() }
}

/** Nothing was begun, and an earlier attempt may have done it all the same. */
function unsureEnd(dependencies: ExecutorDependencies, attempt: RunningAttempt, why: string): AttemptEnd {
  const message = `Nobody knows whether “${attempt.work.record.nodeId}” happened, and it could not be found out: ${why}`
  const error = errorRecord('indeterminate_effect', { message })
  const told = attempt.redactor === null ? error : redactedError(error, attempt.redactor)
  attempt.log.add({ at: dependencies.clock.now(), level: 'error', stream: 'task', text: told.message })
  return { kind: 'unsure', error: told }
}

function silentEnd({ random }: ExecutorDependencies, { work }: RunningAttempt): AttemptEnd {
  const heartbeatMs = work.node.heartbeatTimeoutMs ?? 0
  const message = `“${work.record.nodeId}” said nothing for ${spanText(heartbeatMs)}.`
  const hint = 'Look at where it hangs, have it say more, or allow it more time between two signs of life.'
  const error = errorRecord('task_timeout', { message, hint, details: { heartbeatMs } })
  return { kind: 'timed-out', error, random: random.next() }
}

const spanText = (span: number): string => (span < 10_000 ? `${span} ms` : `${Math.round(span / 1_000)} s`)
