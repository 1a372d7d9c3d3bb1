/**
 * One attempt from its start to its committed end: resolve the parameters, run the task, report. Whatever
 * the task does, the attempt ends in exactly one decision.
 */

import type { CompiledNode } from '../core/compile.ts'
import type { AttemptEnd } from '../core/finish-attempt.ts'
import type { NodeInput } from '../core/node-input.ts'
import { inlineInput } from '../core/node-input.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord, recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { taskOutputBytesMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import type { Clock, Random } from '../model/ports.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { StoreInfo } from '../store/store.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import { completed } from '../tasks/task.ts'
import { AttemptContext } from './attempt-context.ts'
import type { AttemptLog } from './attempt-log.ts'
import { createAttemptLog } from './attempt-log.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { Beats } from './beats.ts'
import { listenForBeats } from './beats.ts'
import type { Deadlines, ExpectedDeadline } from './deadlines.ts'
import type { LiveLine } from './engine.ts'
import type { Execution } from './execution.ts'
import type { Failpoints } from './failpoints.ts'
import { emitted } from './outbox/emitted.ts'
import { refuseWrongOutput } from './output-schema.ts'
import type { PayloadStore } from './payload-store.ts'
import { settleWithin } from './settle-within.ts'
import type { CallPreparer } from './sub-workflows/call-preparer.ts'
import { aroundValue, firstTurn, isInBody, opens, storedItem, turnOf } from './surroundings.ts'
import type { ExpressionScope, TaskHost } from './task-host.ts'
import { openSecrets, redactedError, redactedOutcome } from './vault/attempt-secrets.ts'
import { MarkedParameters } from './vault/marked-parameters.ts'
import type { Redactor } from './vault/redactor.ts'

export interface AttemptReport {
  readonly end: AttemptEnd
  readonly input: Payload | null
  readonly log: Payload | null
}

export interface ExecutorDependencies {
  readonly info: StoreInfo
  readonly host: TaskHost
  readonly payloads: PayloadStore
  readonly clock: Clock
  readonly deadlines: Deadlines
  /** How long a program may take to end by itself. */
  readonly killGraceMs: Millis
  /** A task was told to stop and did not. */
  readonly leftBehind: (execution: Execution) => void
  readonly random: Random
  readonly failpoints: Failpoints
  readonly live: (line: LiveLine) => void
  /** For steps that start other workflows. */
  readonly calls: CallPreparer
}

/** Executes the attempt. Never throws: every way it can end is a report. */
export async function executeAttempt(
  dependencies: ExecutorDependencies,
  work: AttemptWork,
  execution: Execution,
): Promise<AttemptReport> {
  const { payloads, live } = dependencies
  const log = createAttemptLog((line) => live({ runId: work.run.id, invocationId: work.record.id, line }))
  const deadline = armTimeout(dependencies, work, execution)
  const { heartbeatTimeoutMs: silentMs } = work.node
  const beats = silentMs === null ? null : listenForBeats(dependencies, execution, silentMs)
  const attempt: Running = {
    work,
    execution,
    log,
    deadline,
    beats,
    input: null,
    redactor: null,
  }
  let end: AttemptEnd
  try {
    dependencies.failpoints('attempt.before-execute')
    end = await runToEnd(dependencies, attempt)
  } catch (thrown) {
    end = endOfError(dependencies, attempt, recordOfThrown(thrown))
  } finally {
    deadline.cancel()
    beats?.cancel()
  }
  dependencies.failpoints('attempt.effect-done')
  const lines = log.json()
  return { end, input: attempt.input, log: lines === null ? null : await keptLog(payloads, lines) }
}

/** A log that can't be stored must not take the attempt's end with it. */
async function keptLog(payloads: PayloadStore, json: string): Promise<Payload | null> {
  try {
    return await payloads.keep(json)
  } catch (thrown) {
    const text = `The log could not be stored: ${recordOfThrown(thrown).message}`
    return inlinePayload(JSON.stringify([{ at: 0, level: 'error', stream: 'task', text }]))
  }
}

interface Running {
  readonly work: AttemptWork
  readonly execution: Execution
  readonly log: AttemptLog
  readonly deadline: ExpectedDeadline
  /** Null where nobody limits how long it may say nothing. */
  readonly beats: Beats | null
  input: Payload | null
  /** Takes out the secrets of the attempt; null while it has none. */
  redactor: Redactor | null
}

function armTimeout(
  { clock, deadlines }: ExecutorDependencies,
  work: AttemptWork,
  execution: Execution,
): ExpectedDeadline {
  const { deadlineAt } = work.record
  if (deadlineAt === null) return noDeadline
  execution.setDeadline(deadlineAt)
  if (deadlineAt <= clock.now()) {
    // A deadline that passed while nobody was there fails the step without running it.
    execution.stop('timeout')
    return noDeadline
  }
  return new AttemptDeadline(deadlines, execution, deadlineAt)
}

/** The deadline that counts now: a pause takes it away, and going on gives a later one. */
class AttemptDeadline implements ExpectedDeadline {
  readonly #execution: Execution
  #expected: ExpectedDeadline

  constructor(deadlines: Deadlines, execution: Execution, at: Instant) {
    const stop = (): void => execution.stop('timeout')
    this.#execution = execution
    this.#expected = deadlines.expect(at, stop)
    execution.onDeadline((next) => {
      this.#expected.cancel()
      this.#expected = next === null ? noDeadline : deadlines.expect(next, stop)
    })
  }

  cancel(): void {
    this.#execution.onDeadline(noCall)
    this.#expected.cancel()
  }

  isPast(): boolean {
    return this.#expected.isPast()
  }
}

async function runToEnd(dependencies: ExecutorDependencies, attempt: Running): Promise<AttemptEnd> {
  const { clock, payloads } = dependencies
  if (attempt.execution.stopReason() !== null) return stoppedEnd(dependencies, attempt)
  const raw = await runTask(dependencies, attempt)
  const outcome = attempt.redactor === null ? raw : redactedOutcome(raw, attempt.redactor)
  const reason = attempt.execution.stopReason()
  // It may have passed without a timer that told.
  const late = attempt.deadline.isPast()
  if (reason === 'timeout' || reason === 'lost' || late) return stoppedEnd(dependencies, attempt)
  if (outcome.kind === 'items' || outcome.kind === 'turn') return opens(payloads, outcome)
  if (outcome.kind === 'calls') return dependencies.calls.prepare(outcome, attempt.work)
  const { node } = attempt.work
  if (node.outputSchema !== null) refuseWrongOutput(node, outcome.output ?? null)
  const json = JSON.stringify(outcome.output ?? null)
  const kept = payloads.keep(json, taskOutputBytesMax)
  const output = kept instanceof Promise ? await kept : kept
  if (output.kind === 'blob') dependencies.failpoints('attempt.output-stored')
  if (outcome.kind === 'awaits') {
    const { name, correlation, until: wakeAt, onTimeout } = outcome
    return { kind: 'awaits', wait: { kind: 'signal', name, correlation, onTimeout }, until: wakeAt, output }
  }
  if (outcome.kind === 'emits')
    return emitted(payloads, outcome, { record: attempt.work.record, output, at: clock.now() })
  if (outcome.kind === 'stops') return stopEnd(attempt, outcome, output)
  if (outcome.kind === 'parked')
    return { kind: 'parked', until: outcome.until, reason: outcome.reason, output }
  return { kind: 'succeeded', output, ports: outcome.ports }
}

function stopEnd(
  attempt: Running,
  outcome: Extract<TaskOutcome, { readonly kind: 'stops' }>,
  output: Payload,
): AttemptEnd {
  const { status, message } = outcome
  const said = message === '' ? `“${attempt.work.record.nodeId}” ended the run as failed.` : message
  return { kind: 'stops', status, output, error: errorRecord('run_stopped', { message: said }) }
}

async function runTask(dependencies: ExecutorDependencies, attempt: Running): Promise<TaskOutcome> {
  const { host, payloads } = dependencies
  const { work } = attempt
  if (work.node.behaviour === 'pass-on') return completed(await inputValue(payloads, work.input))
  const spec = host.specsByKind.get(work.record.taskKind)
  const run = host.runOf(work.record.taskKind)
  if (spec === undefined || run === null) {
    throw new SagasmithError('task_kind_unknown', {
      message: `This runner does not know the task kind “${work.record.taskKind}”.`,
      details: { kind: work.record.taskKind },
    })
  }
  const scope = scopeOf(dependencies, work)
  const asked = { parameters: work.node.parameters, spec, scope, marksSecrets: true }
  const resolved = host.resolver.resolveParameters(asked)
  if (resolved instanceof Promise) attempt.execution.prepare()
  // A promise only where something is computed elsewhere or read: every wait costs a turn of the queue.
  const parameters = resolved instanceof Promise ? ((await resolved) as unknown) : resolved
  const marked = parameters instanceof MarkedParameters ? parameters : null
  const kept = payloads.keep(JSON.stringify(marked === null ? (parameters ?? null) : marked.references()))
  attempt.input = kept instanceof Promise ? await kept : kept
  const secrets = marked === null ? null : await openedSecrets(dependencies, attempt, marked)
  const value = scope.input()
  const input = value instanceof Promise ? await value : value
  const told = scope.run()
  const facts = told instanceof Promise ? await told : told
  const { execution, log } = attempt
  const context = new AttemptContext({
    storeId: dependencies.info.id,
    run: work.run,
    record: work.record,
    execution,
    log,
    beats: attempt.beats,
    clock: dependencies.clock,
    echoService: host.echoService,
    approvedHosts: work.approvedHosts,
    killGraceMs: dependencies.killGraceMs,
    input,
    turn: work.record.wait?.kind === 'turn' ? await turnOf(payloads, work.record.wait) : firstTurn(input),
    results:
      work.results === null
        ? null
        : await Promise.all(work.results.map(async (result) => inputValue(payloads, result))),
    facts,
    vars: scope.vars,
    secrets: secrets === null ? null : secrets.guard,
  })
  // What was paused meanwhile doesn't begin: it is handed back, and set aside until somebody resumes it.
  if (execution.stopReason() === 'pause') throw new SagasmithError('task_cancelled')
  execution.begin()
  const given = secrets === null ? parameters : secrets.parameters
  return settleWithin(dependencies, execution, run.execute(given, context))
}

/** From here on nothing that the attempt says may hold a value. */
async function openedSecrets({ host }: ExecutorDependencies, attempt: Running, marked: MarkedParameters) {
  const { run, record } = attempt.work
  const use = { workflowId: run.workflowId, nodeId: record.nodeId, taskKind: record.taskKind }
  const secrets = await openSecrets(host.secrets, marked, use)
  attempt.redactor = secrets.redactor
  attempt.log.setRedaction(secrets.redactor.text)
  return secrets
}

const noCall = (): void => {}
const noDeadline: ExpectedDeadline = { cancel: noCall, isPast: () => false }

function endOfError(dependencies: ExecutorDependencies, attempt: Running, thrown: ErrorRecord): AttemptEnd {
  const reason = attempt.execution.stopReason()
  if (reason !== null) return stoppedEnd(dependencies, attempt)
  const error = attempt.redactor === null ? thrown : redactedError(thrown, attempt.redactor)
  attempt.log.add({ at: dependencies.clock.now(), level: 'error', stream: 'task', text: error.message })
  return { kind: 'failed', error, random: dependencies.random.next() }
}

function stoppedEnd(dependencies: ExecutorDependencies, attempt: Running): AttemptEnd {
  const reason = attempt.execution.stopReason() ?? 'timeout'
  if (reason === 'cancel') return { kind: 'cancelled' }
  if (reason === 'stop' || reason === 'lost' || reason === 'pause')
    return { kind: 'handed-back', begun: attempt.execution.progress() === 'begun' }
  const { record, node } = attempt.work
  if (attempt.beats?.fellSilent() === true) return silentEnd(dependencies, attempt)
  const message = `“${record.nodeId}” took longer than its timeout of ${spanText(node.attemptTimeoutMs)}.`
  const error = errorRecord('task_timeout', { message, details: { timeoutMs: node.attemptTimeoutMs } })
  return { kind: 'timed-out', error, random: dependencies.random.next() }
}

function silentEnd({ random }: ExecutorDependencies, { work }: Running): AttemptEnd {
  const heartbeatMs = work.node.heartbeatTimeoutMs ?? 0
  const message = `“${work.record.nodeId}” said nothing for ${spanText(heartbeatMs)}.`
  const hint = 'Look at where it hangs, have it say more, or allow it more time between two signs of life.'
  const error = errorRecord('task_timeout', { message, hint, details: { heartbeatMs } })
  return { kind: 'timed-out', error, random: random.next() }
}

const spanText = (span: number): string => (span < 10_000 ? `${span} ms` : `${Math.round(span / 1_000)} s`)

/** What of an attempt its expressions depend on. */
export type ScopeWork = Pick<AttemptWork, 'run' | 'input' | 'variables' | 'recordOf' | 'around'> & {
  readonly node?: Pick<CompiledNode, 'kind' | 'body'>
  readonly record: Pick<InvocationRecord, 'attempt' | 'wait'>
}

/** What expressions of this step can see. */
export function scopeOf(
  dependencies: Pick<ExecutorDependencies, 'payloads'>,
  work: ScopeWork,
): ExpressionScope {
  const { payloads } = dependencies
  const { run } = work
  let known: JsonValue | undefined
  const input = (): JsonValue | Promise<JsonValue> => {
    if (known !== undefined) return known
    const value = inputValue(payloads, work.input)
    if (value instanceof Promise) return value
    known = value
    return value
  }
  const scope: ExpressionScope = {
    input,
    nodes: async (ids) => {
      const outputs: Record<string, JsonValue> = {}
      for (const id of ids) {
        const output = work.recordOf(id)?.output
        if (output !== null && output !== undefined) outputs[id] = { output: await payloads.value(output) }
      }
      return outputs
    },
    run: () => runFacts(payloads, work),
    vars: work.variables,
    now: run.now,
    seed: run.seed,
  }
  if (!isInBody(work)) return scope
  return { ...scope, around: (root) => aroundValue(payloads, { ...work, inputValue: input }, root) }
}

/** Run inputs that were parsed already: every step of a run sees the same one. */
const runInputs = new WeakMap<Payload, JsonValue>()

function runFacts(payloads: PayloadStore, work: ScopeWork): JsonObject | Promise<JsonObject> {
  const { run } = work
  const known = runInputs.get(run.input)
  if (known !== undefined) return factsOf(work, known)
  const withInput = (input: JsonValue): JsonObject => {
    runInputs.set(run.input, input)
    return factsOf(work, input)
  }
  const input = payloads.value(run.input)
  return input instanceof Promise ? input.then(withInput) : withInput(input)
}

const factsOf = ({ run, record }: ScopeWork, input: JsonValue): JsonObject => {
  return { id: run.id, generation: run.generation, now: run.now, attempt: record.attempt, input }
}

function inputValue(payloads: PayloadStore, input: NodeInput): JsonValue | Promise<JsonValue> {
  const inline = inlineInput(input)
  if (inline !== null) return payloads.value(inline)
  if (input.kind === 'item') return storedItem(payloads, input.items, input.index)
  return input.kind === 'several' ? composed(payloads, input) : payloads.value(input.payload)
}

async function composed(
  payloads: PayloadStore,
  input: Extract<NodeInput, { readonly kind: 'several' }>,
): Promise<JsonValue> {
  const members: Record<string, JsonValue> = {}
  for (const { nodeId: id, payload } of input.parts) members[id] = await payloads.value(payload)
  return members
}
