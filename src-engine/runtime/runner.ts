/**
 * The runner of this process: slots, what runs in them, and the decision that ends each attempt. Work comes
 * from decisions that claimed it and from the store's claim; it ends here.
 */

import { isPauseAsked } from '../core/control/hold.ts'
import type { Claimant, Decision, DecisionContext } from '../core/draft.ts'
import { finishAttempt, finishAttempts, isShareable } from '../core/finish-attempt.ts'
import type { RunState } from '../core/run-state.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import { sameFence } from '../model/fence.ts'
import type { DefinitionHash, OpId, RunId, RunnerId } from '../model/ids.ts'
import { opId } from '../model/ids.ts'
import type { Cause, InvocationRecord } from '../model/invocation.ts'
import type { ActorKind } from '../model/invocation-status.ts'
import { noPoolRules } from '../model/pools.ts'
import type { Clock, Logger } from '../model/ports.ts'
import { assert } from '../model/result.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import type { Instant } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import { workOf } from './attempt-work.ts'
import type { ClockWatch } from './clock/clock-watch.ts'
import type { LeaseGate } from './clock/lease-gate.ts'
import type { Execution, Executions } from './execution.ts'
import { openStarted } from './execution.ts'
import type { AttemptReport } from './executor.ts'
import { executeAttempt } from './executor.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import { loadedState } from './loaded-state.ts'
import type { HiddenOutputs } from './output-policy/hidden-outputs.ts'
import type { Limits } from './permits/limits.ts'
import type { PolicyParts } from './policy/create-policy.ts'
import type { PoolBook } from './pools/pool-book.ts'
import type { LoadGate } from './routing/load-gate.ts'
import { createOwnSteps } from './routing/own-steps.ts'
import type { AheadWork, RunAhead } from './run-ahead.ts'
import { createRunAhead } from './run-ahead.ts'
import type { DecisionHooks, MakeDecision, RunBook } from './run-book.ts'
import { epochOfRun } from './run-place.ts'
import type { EndedAttempt } from './shared-ends.ts'
import { createSharedEnds } from './shared-ends.ts'
import type { Slots } from './slots.ts'
import { unlessTakenBack } from './surely-there.ts'
import type { DefinitionTrust } from './trust/definition-trust.ts'

export interface RunnerDependencies {
  readonly store: Store
  readonly partition: number
  readonly runnerId: RunnerId
  readonly book: RunBook
  readonly slots: Slots
  readonly executions: Executions
  readonly executor: ExecutorDependencies
  readonly clock: Clock
  /** What the clocks do; spans that decide about others' work are measured by it. */
  readonly watch: ClockWatch
  readonly gate: LeaseGate
  /** Resolved once a step has timed out, where that is to end the whole runner. */
  readonly stopWanted: PromiseWithResolvers<void>
  readonly log: Logger
  readonly settings: EngineSettings
  readonly pools: PoolBook
  readonly limits: Limits
  readonly policy: PolicyParts
  readonly load: LoadGate
  /** Null for a runner that executes every definition. */
  readonly trust: DefinitionTrust | null
  /** What readers of events don't see. */
  readonly hidden: HiddenOutputs
  /** Whether it claims nothing but steps of runs that it is told to resume, as it resumes them. */
  readonly takesWhatItResumes: boolean
}

export interface Runner {
  /** The context of a decision that this process makes now; it takes free slots unless told otherwise. */
  readonly context: (made: {
    readonly actor: ActorKind
    readonly cause: Cause
    readonly opId: OpId
    readonly runId: RunId
    /** The run begins with this decision. */
    readonly begins?: boolean
    /** Who takes what it makes available; nobody where false. */
    readonly claims?: Claimant | boolean
    /** So many attempts end with this decision: as many may go on in their places. */
    readonly ended?: number
    readonly continues?: DecisionContext['continues']
  }) => DecisionContext
  /** Takes the slots of what a decision started; call when it is sent. */
  readonly reserve: (decision: Decision) => void
  readonly unreserve: (decision: Decision) => void
  /** Executes what a committed decision started. */
  readonly execute: (started: readonly InvocationRecord[]) => void
  /** For a decision whose pure steps needn't wait for its commit: `executeRest` is for when that is durable. */
  readonly ahead: Required<Pick<DecisionHooks, 'sent' | 'takenBack'>>
  readonly executeRest: (decision: Decision) => void
  /** From now on decisions may claim for this runner. */
  readonly open: () => void
  /** Claims nothing any more; what is under way, and what was claimed on the way, goes on. */
  readonly drain: () => void
  /** Since when it takes no new work; null while it does. */
  readonly drainingSince: () => Instant | null
  /** Claims nothing any more, and hands back what begins from now on. */
  readonly close: () => void
  /** Resolves when nothing is under way. */
  readonly drained: () => Promise<void>
}

export function createRunner(dependencies: RunnerDependencies): Runner {
  return new SlotRunner(dependencies)
}

class SlotRunner implements Runner {
  readonly #dependencies: RunnerDependencies
  readonly #drainWaiters: (() => void)[] = []
  readonly #sharedEnds = createSharedEnds((runId, ends) => this.#record(runId, ends))
  #active = 0
  #claims = false
  #drainingSince: Instant | null = null
  #stopping = false
  readonly #ahead: RunAhead
  readonly ahead: Runner['ahead'] = {
    sent: (made, again) => this.#sent(made, again),
    takenBack: (made) => this.#dependencies.slots.give(this.#ahead.giveUp(made)),
  }
  /** The same for every step. */
  readonly #hooks: DecisionHooks = { shares: true, ...this.ahead }

  readonly #accepts: Claimant['accepts']

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
    const { book, executions, executor } = dependencies
    this.#ahead = createRunAhead({ book, executions, host: executor.host })
    this.#accepts = createOwnSteps(dependencies)
  }

  context(made: Parameters<Runner['context']>[0]): DecisionContext {
    const { claims = true, begins = false } = made
    const own = claims === true ? this.#claimant(begins ? null : made.runId, made.ended) : null
    const { clock, store, runnerId, pools, executor, settings } = this.#dependencies
    const rules = pools.rules()
    return {
      now: clock.now(),
      actor: { kind: made.actor, id: runnerId },
      cause: made.cause,
      opId: made.opId,
      epoch: epochOfRun(store.info, made.runId),
      claimant: typeof claims === 'object' ? claims : own,
      pools: rules === noPoolRules ? null : rules,
      needsScan: executor.outputs?.needsScan() ?? null,
      unkeptGraceMs: settings.unkeptGraceMs,
      continues: made.continues ?? null,
    }
  }

  #claimant(runId: RunId | null, ended?: number): Claimant | null {
    const { load, runnerId, settings, book, trust } = this.#dependencies
    if (!this.#claims || (trust !== null && !this.#isTrusted(runId, trust))) return null
    return {
      runnerId,
      ttlMs: settings.claimTtlMs,
      capacity: load.room(ended),
      // Work of other runs may be older or more urgent: then the store's claim decides who is next.
      takesEarlier: runId !== null && book.availableElsewhere(runId) === 0,
      accepts: this.#accepts,
    }
  }

  /** A run that begins, or isn't known here, is left to the claim of the store. */
  #isTrusted(runId: RunId | null, trust: DefinitionTrust): boolean {
    const state = runId === null ? null : this.#dependencies.book.cachedState(runId)
    return state !== null && trust.accepts(state.run.definitionHash)
  }

  reserve(decision: Decision): void {
    this.#dependencies.slots.take(decision.started.length)
  }

  unreserve(decision: Decision): void {
    this.#dependencies.slots.give(decision.started.length)
  }

  execute(started: readonly InvocationRecord[]): void {
    const { executions } = this.#dependencies
    for (const record of started) {
      this.#active += 1
      void this.#run(record, openStarted(executions, record, false))
    }
  }

  executeRest(decision: Decision): void {
    this.execute(this.#ahead.confirm(decision))
  }

  /** Takes the slots of what a decision started, and begins what needn't wait for its commit. */
  #sent(decision: Decision, again: boolean): void {
    this.reserve(decision)
    // A store that has refused it may do so again, and each time the work would be for nothing.
    if (again) return
    for (const { record, execution } of this.#ahead.begin(decision)) {
      this.#active += 1
      // Its end must be sent after its beginning, which is being sent.
      queueMicrotask(() => void this.#run(record, execution))
    }
  }

  open(): void {
    this.#claims = true
  }

  drain(): void {
    this.#claims = false
    this.#drainingSince ??= this.#dependencies.clock.now()
  }

  drainingSince(): Instant | null {
    return this.#drainingSince
  }

  close(): void {
    this.drain()
    this.#stopping = true
  }

  drained(): Promise<void> {
    if (this.#active === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drainWaiters.push(resolve))
  }

  #ended(): void {
    this.#active -= 1
    if (this.#active === 0) for (const resolve of this.#drainWaiters.splice(0)) resolve()
  }

  #report(record: InvocationRecord, thrown: unknown): void {
    this.#dependencies.log.error('attempt.unrecorded', {
      invocationId: record.id,
      error: recordOfThrown(thrown).message,
    })
  }

  /** Never throws: what can't be recorded is reported. What it keeps while it waits, it keeps for all that runs ahead. */
  async #run(record: InvocationRecord, execution: Execution): Promise<void> {
    const { executions, slots } = this.#dependencies
    let given = false
    const giveBack = (): void => {
      if (!given) slots.give(1)
      given = true
    }
    try {
      const performed = this.#perform(record, execution)
      // Every wait costs a turn of the queue, and most steps are done at once.
      const report = performed instanceof Promise ? await performed : performed
      if (report !== null) await this.#finish(record, execution, { report, freed: giveBack })
    } catch (thrown) {
      // What was given up may belong to a run that never began.
      if (!isLost(execution)) this.#report(record, thrown)
    } finally {
      executions.close(execution)
      giveBack()
      this.#ended()
    }
  }

  /** What came of it; null where nobody is to be told: it never was, or somebody else has it by now. */
  #perform(
    record: InvocationRecord,
    execution: Execution,
  ): AttemptReport | null | Promise<AttemptReport | null> {
    const { book, gate } = this.#dependencies
    // Given up before it could begin.
    if (execution.claim() === 'refused') return null
    if (this.#stopping) execution.stop('stop')
    const work = { record, execution }
    const state = book.cachedState(record.runId, execution.claim() === 'sent' ? 'ahead' : undefined)
    const isWhole = state?.invocations.has(record.id) === true
    const executed = isWhole ? this.#execute(state, work) : this.#executeParked(work)
    if (executed instanceof Promise || gate.doubt() !== null) return this.#undoubted(execution, executed)
    return isLost(execution) ? null : executed
  }

  /** Parked out of memory, it may be, between the claim and now. */
  async #executeParked(work: AheadWork): Promise<AttemptReport> {
    const state = await this.#loaded(work.record)
    if (state === null) throw new SagasmithError('invocation_not_found')
    return this.#execute(state, work)
  }

  #execute(state: RunState, { record, execution }: AheadWork): AttemptReport | Promise<AttemptReport> {
    const { executor, trust } = this.#dependencies
    // The claim asked already, of what the store said then.
    if (trust !== null) requireTrust(trust, state.run.definitionHash)
    const current = state.invocations.get(record.id)
    if (current !== undefined && wasTaken(current, record)) execution.stop('lost')
    else if (current !== undefined && current.cancelRequestedAt !== null) execution.stop('cancel')
    else if (current !== undefined && isPauseAsked(current)) execution.stop('pause')
    const work = workOf(state, record)
    assert(work !== null, `node ${record.nodeId} is part of the run's definition`)
    return executeAttempt(executor, work, execution)
  }

  /** After a sleep or a stop somebody else may have it by now. */
  async #undoubted(
    execution: Execution,
    executed: AttemptReport | Promise<AttemptReport>,
  ): Promise<AttemptReport | null> {
    const report = await executed
    const doubt = this.#dependencies.gate.doubt()
    if (doubt !== null) await doubt
    return isLost(execution) ? null : report
  }

  /** A run is read before its steps: with a failover in between, this one is missing, and so may be what it builds on. */
  #loaded({ runId, id }: InvocationRecord): Promise<RunState | null> {
    const look = () => loadedState(this.#dependencies.book, runId, ({ invocations }) => invocations.has(id))
    return unlessTakenBack(this.#dependencies, runId, look)
  }

  /** Ends of attempts of one run; several only if they are shareable. */
  #record(runId: RunId, ends: readonly EndedAttempt[]): Promise<void> {
    const { book } = this.#dependencies
    const [first, second] = ends
    assert(first !== undefined, 'there is an end to record')
    // The slots are free before the decision, so that it can take the next steps of the same run.
    for (const { freed } of ends) freed()
    const { invocationId, fence } = first.fact
    const place = `${invocationId}:${fence.epoch}.${fence.counter}`
    const context = (continues: DecisionContext['continues']) =>
      this.context({
        continues,
        actor: 'runner',
        cause: { kind: 'attempt', by: invocationId, detail: null },
        opId: opId(ends.length === 1 ? `end:${place}` : `ends:${place}:${ends.length}`),
        runId,
        ended: ends.length,
      })
    const make: MakeDecision = (state, continues) => {
      // What ran ahead of a commit that was refused since never was.
      if (second === undefined)
        return first.isVoid() ? null : finishAttempt(state, context(continues), first.fact)
      const facts = ends.flatMap(({ fact, isVoid }) => (isVoid() ? [] : [fact]))
      const [only] = facts
      if (only === undefined) return null
      return facts.length === 1
        ? finishAttempt(state, context(continues), only)
        : finishAttempts(state, context(continues), facts)
    }
    const hooks = ends.every(endsShareably) ? this.#hooks : { ...this.#hooks, shares: false }
    const decided = unlessTakenBack(this.#dependencies, runId, () => book.decide(runId, make, hooks))
    return decided.then((decision) => this.#recorded(ends, decision))
  }

  #recorded(ends: readonly EndedAttempt[], decision: Decision | null): void {
    const { executor, settings, stopWanted } = this.#dependencies
    for (const _ of ends) executor.failpoints('attempt.after-commit')
    if (decision !== null) this.executeRest(decision)
    const isTimedOut = ends[0]?.fact.end.kind === 'timed-out'
    if (isTimedOut && settings.stopWorkerOnTimeout) stopWanted.resolve()
  }

  #finish(
    record: InvocationRecord,
    execution: Execution,
    { report, freed }: { readonly report: AttemptReport; readonly freed: () => void },
  ): Promise<void> {
    const { book, executor } = this.#dependencies
    const { end, input, log } = report
    const said = { invocationId: record.id, fence: execution.fence, end, input, log }
    // Its parameters may quote what was taken out.
    const fact = report.redacted === undefined ? said : { ...said, input: null, redacted: report.redacted }
    const ended: EndedAttempt = { fact, freed, isVoid: () => execution.claim() === 'refused' }
    executor.failpoints('attempt.before-commit')
    // With nothing else under way in the run there is nobody to share with.
    const isAlone = (book.cachedState(record.runId, 'ahead')?.activeCount ?? 1) === 1
    if (isAlone || !isShareable(end)) return this.#record(record.runId, [ended])
    return this.#sharedEnds.add(record.runId, ended)
  }
}

const endsShareably = ({ fact }: EndedAttempt): boolean => isShareable(fact.end)

/** Somebody else has the right to it by now, or it never had any. */
const isLost = (execution: Execution): boolean =>
  execution.stopReason() === 'lost' || execution.claim() === 'refused'

/** Whether it has moved on since it was claimed, under another fence or none: somebody ended it, or has it. */
const wasTaken = ({ version, lease }: InvocationRecord, claimed: InvocationRecord): boolean =>
  version > claimed.version &&
  (lease === null || claimed.lease === null || !sameFence(lease.fence, claimed.lease.fence))

function requireTrust(trust: DefinitionTrust, hash: DefinitionHash): void {
  if (!trust.accepts(hash)) throw new SagasmithError('definition_not_trusted', { details: { hash } })
}
