/**
 * An attempt under way: its parameters are resolved, its input is read, its task is called. What is at hand
 * goes on at once, without a promise: most steps of a run that is under way do nothing but that.
 */

import type { SkipRule } from '../core/step-rules.ts'
import { portsPassedOn } from '../core/timed-joins.ts'
import { isToVerify } from '../core/verify.ts'
import { SagasmithError } from '../model/errors.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { OutputCheck } from '../model/output/output-check.ts'
import type { Payload } from '../model/payload.ts'
import { assert } from '../model/result.ts'
import type { ProbeAnswer, TaskContext, TaskOutcome, TaskRun } from '../tasks/task.ts'
import { completed } from '../tasks/task.ts'
import { AttemptContext } from './attempt-context.ts'
import { armTimeout } from './attempt-deadline.ts'
import { AttemptLog } from './attempt-log.ts'
import { inputValue, scopeOf } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { Beats } from './beats.ts'
import { listenForBeats } from './beats.ts'
import type { ReusedOutcome } from './cache/take-over.ts'
import { askCache, cacheRuleFor } from './cache/take-over.ts'
import type { ExpectedDeadline } from './deadlines.ts'
import type { Execution } from './execution.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import { keptInput } from './kept-output.ts'
import type { UndoCall } from './saga/undo-call.ts'
import { undoCallOf } from './saga/undo-call.ts'
import { settleWithin } from './settle-within.ts'
import type { WorkOutcome } from './skip-condition.ts'
import { askSkip, skipRuleOf } from './skip-condition.ts'
import { firstTurn, turnOf } from './surroundings.ts'
import type { ExpressionScope } from './task-host.ts'
import { openSecrets } from './vault/attempt-secrets.ts'
import { MarkedParameters } from './vault/marked-parameters.ts'
import type { Redactor } from './vault/redactor.ts'

/** What is to be called, and what is known of its parameters. */
interface Call {
  readonly task: TaskRun<unknown>
  readonly scope: ExpressionScope
  readonly resolved: unknown
}

/** What a task is called with, beside what every task gets. */
type Given = Pick<TaskContext, 'input' | 'turn' | 'results' | 'secrets'> & {
  readonly undo: UndoCall | null
  readonly parameters: unknown
  readonly facts: JsonObject
}

export class RunningAttempt {
  readonly work: AttemptWork
  readonly execution: Execution
  readonly log: AttemptLog
  readonly deadline: ExpectedDeadline
  /** Null where nobody limits how long it may say nothing. */
  readonly beats: Beats | null
  /** Its parameters, once they are known. */
  input: Payload | null = null
  /** Takes out the secrets of the attempt; null while it has none. */
  redactor: Redactor | null = null
  /** What the output policy took out of its output; null while it took nothing. */
  redacted: OutputCheck | null = null
  /** It finds out whether an earlier attempt had its effect, or has found out that it had; nothing was begun. */
  isVerifying = false
  /** Where its result is kept for later runs; null for one that isn't kept. */
  keepAs: string | null = null
  readonly #dependencies: ExecutorDependencies

  constructor(dependencies: ExecutorDependencies, work: AttemptWork, execution: Execution) {
    const { run, record, node } = work
    this.#dependencies = dependencies
    this.work = work
    this.execution = execution
    this.log = new AttemptLog((line) => dependencies.live({ runId: run.id, invocationId: record.id, line }))
    this.deadline = armTimeout(dependencies, work, execution)
    const { heartbeatTimeoutMs: silentMs } = node
    this.beats = silentMs === null ? null : listenForBeats(dependencies, execution, silentMs)
  }

  /** Nothing of it is waited for any more. */
  close(): void {
    this.deadline.cancel()
    this.beats?.cancel()
  }

  /** Calls the task; a promise only where something takes its time. Throws, or rejects, as the task does. */
  run(): WorkOutcome | Promise<WorkOutcome> {
    const rule = skipRuleOf(this.work)
    return rule === null ? this.#run() : this.#runUnlessSkipped(rule)
  }

  async #runUnlessSkipped(rule: SkipRule): Promise<WorkOutcome> {
    this.execution.prepare()
    return (await askSkip(this.#dependencies, this.work, rule)) ?? this.#run()
  }

  #run(): WorkOutcome | Promise<WorkOutcome> {
    const { host, payloads } = this.#dependencies
    const { work } = this
    if (work.node.behaviour === 'pass-on') {
      const value = inputValue(payloads, work.input)
      const ports = portsPassedOn(work.node, work.record)
      return value instanceof Promise
        ? value.then((there) => completed(there, ports))
        : completed(value, ports)
    }
    const { taskKind } = work.record
    const spec = host.specsByKind.get(taskKind)
    const task = host.runOf(taskKind)
    if (spec === undefined || task === null) {
      throw new SagasmithError('task_kind_unknown', {
        message: `This runner does not know the task kind “${taskKind}”.`,
        details: { kind: taskKind },
      })
    }
    const scope = scopeOf(this.#dependencies, work)
    const { parameters } = work.node
    const resolved = host.resolver.resolveParameters({ parameters, spec, scope, marksSecrets: true })
    const call = { task, scope, resolved }
    return isAtHand(work, resolved) ? this.#callNow(call) : this.#callLater(call)
  }

  #callNow(call: Call): TaskOutcome | Promise<TaskOutcome> {
    const kept = this.#keep(call.resolved)
    if (kept instanceof Promise) return kept.then((input) => this.#callWith(call, input))
    return this.#callWith(call, kept)
  }

  #callWith({ task, scope, resolved }: Call, kept: Payload): TaskOutcome | Promise<TaskOutcome> {
    this.input = kept
    const input = scope.input()
    const facts = scope.run()
    assert(!(input instanceof Promise) && !(facts instanceof Promise), 'what is at hand is read at once')
    const rest = { turn: firstTurn(input), results: null, secrets: null, undo: null }
    return this.#call(task, { parameters: resolved, input, facts, ...rest })
  }

  async #callLater({ task, scope, resolved }: Call): Promise<WorkOutcome> {
    const { payloads } = this.#dependencies
    const { wait } = this.work.record
    if (resolved instanceof Promise) this.execution.prepare()
    const parameters: unknown = await resolved
    const marked = parameters instanceof MarkedParameters ? parameters : null
    this.input = await this.#keep(marked === null ? parameters : marked.references())
    const reused = await this.#takeOver(scope)
    if (reused !== null) return reused
    const isShut =
      this.#dependencies.host.specsByKind.get(this.work.record.taskKind)?.tellsWithSecrets === true
    const secrets = marked === null || isShut ? null : await this.#openSecrets(marked)
    const undo = await this.#undoCall(scope)
    const input = await scope.input()
    return this.#call(task, {
      undo,
      parameters: secrets?.parameters ?? marked?.references() ?? parameters,
      input,
      facts: await scope.run(),
      turn: wait?.kind === 'turn' ? await turnOf(payloads, wait) : firstTurn(input),
      results: await this.#results(),
      secrets: secrets === null ? null : secrets.guard,
    })
  }

  /** Before any secret is opened: a result that is kept needs none. */
  async #takeOver(scope: ExpressionScope): Promise<ReusedOutcome | null> {
    const rule = cacheRuleFor(this.work)
    if (rule === null || this.input === null) return null
    this.execution.prepare()
    const parameters = await this.#dependencies.payloads.value(this.input)
    const { keepAs, found } = await askCache(
      this.#dependencies,
      { work: this.work, rule },
      { scope, parameters },
    )
    this.keepAs = keepAs
    return found
  }

  #keep(parameters: unknown): Payload | Promise<Payload> {
    const json = JSON.stringify(parameters ?? null)
    // They may quote what is to be taken out: they are put away once that is known.
    if (this.work.node.redact.length > 0) return { kind: 'inline', json }
    return keptInput(this.#dependencies.payloads, this.work.node, json)
  }

  #undoCall(scope: ExpressionScope): Promise<UndoCall> | null {
    const { run, record, undo } = this.work
    if (undo === null) return null
    return undoCallOf(this.#dependencies.host.resolver, { run, undo, taskKind: record.taskKind }, scope)
  }

  #results(): Promise<readonly JsonValue[]> | null {
    const { payloads } = this.#dependencies
    const { results } = this.work
    return results === null ? null : Promise.all(results.map(async (result) => inputValue(payloads, result)))
  }

  /** From here on nothing that the attempt says may hold a value. */
  async #openSecrets(marked: MarkedParameters) {
    const { run, record } = this.work
    const use = { workflowId: run.workflowId, nodeId: record.nodeId, taskKind: record.taskKind }
    const secrets = await openSecrets(this.#dependencies.host.secrets, marked, use)
    this.redactor = secrets.redactor
    this.log.setRedaction(secrets.redactor.text)
    return secrets
  }

  #call(task: TaskRun<unknown>, given: Given): TaskOutcome | Promise<TaskOutcome> {
    const { info, clock, host, killGraceMs } = this.#dependencies
    const { work, execution, log, beats } = this
    const context = new AttemptContext({
      storeId: info.id,
      run: work.run,
      record: work.record,
      sideEffect: work.node.sideEffect,
      execution,
      log,
      beats,
      clock,
      echoService: host.echoService,
      callbacks: host.callbacks ?? null,
      approvedHosts: work.approvedHosts,
      approvedFolders: work.approvedFolders,
      killGraceMs,
      input: given.input,
      turn: given.turn,
      results: given.results,
      facts: given.facts,
      vars: work.variables,
      secrets: given.secrets,
      undo: given.undo,
    })
    if (isToVerify(work.node, work.record)) return this.#verify(task, given.parameters, context)
    return this.#begin(task, given.parameters, context)
  }

  /** Begins only what has not happened. What is thrown on the way says why nobody can tell. */
  async #verify(task: TaskRun<unknown>, parameters: unknown, context: TaskContext): Promise<TaskOutcome> {
    const { execution, log } = this
    this.isVerifying = true
    execution.prepare()
    const found = await settleWithin(this.#dependencies, execution, probeOf(task, parameters, context))
    const text = found.happened
      ? 'It had happened already: the step is taken as done.'
      : 'It had not happened: the step begins.'
    log.add({ at: this.#dependencies.clock.now(), level: 'info', stream: 'task', text })
    if (found.happened) return completed(found.output, found.ports)
    if (execution.stopReason() !== null) throw new SagasmithError('task_cancelled')
    this.isVerifying = false
    return this.#begin(task, parameters, context)
  }

  #begin(
    task: TaskRun<unknown>,
    parameters: unknown,
    context: TaskContext,
  ): TaskOutcome | Promise<TaskOutcome> {
    const { execution } = this
    // What was stopped while its input was read doesn't begin: paused, it is handed back and set aside until somebody
    // resumes it; lost, somebody else has it by now; cancelled, what its input was read from may be gone.
    if (execution.stopReason() !== null) throw new SagasmithError('task_cancelled')
    execution.begin()
    const outcome = task.execute(parameters, context)
    return outcome instanceof Promise ? settleWithin(this.#dependencies, execution, outcome) : outcome
  }
}

function probeOf(task: TaskRun<unknown>, parameters: unknown, context: TaskContext): Promise<ProbeAnswer> {
  if (task.probe !== undefined) return task.probe(parameters, context)
  throw new SagasmithError('indeterminate_effect', {
    message: 'This kind has no way to find out whether the step happened.',
  })
}

/** Whether a task can be called without reading or computing anything elsewhere. */
const isAtHand = (work: AttemptWork, resolved: unknown): boolean =>
  !(resolved instanceof Promise) &&
  !(resolved instanceof MarkedParameters) &&
  work.node.cache === null &&
  work.results === null &&
  work.undo === null &&
  work.called === null &&
  work.record.wait === null &&
  work.run.input.kind === 'inline' &&
  work.input.kind === 'single' &&
  work.input.payload.kind === 'inline'
