/**
 * The runs that are under way, in memory, and the one way to change them.
 *
 * A decision is made on the state as it will be once everything already sent is committed, so a run with
 * many branches needn't wait for one commit before it sends the next: they share a transaction. Nothing
 * visible happens before its own commit is durable. When a commit is refused (another process was first),
 * everything sent after it is refused too; the state is loaded again and each decision is made anew.
 */

import type { Decision } from '../core/draft.ts'
import { applyDecision } from '../core/draft.ts'
import type { MutableRunState, RunState } from '../core/run-state.ts'
import { applyChanges } from '../core/run-state.ts'
import type { Checkpoint, CommitAnswer } from '../model/checkpoint.ts'
import { SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { PassingMap } from '../model/passing-map.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { Entry } from './book-entry.ts'
import { isWorthKeeping, newEntry, stateIn, uncertainty } from './book-entry.ts'
import { changesTooFast, uncommitted } from './commit-errors.ts'
import type { CommitOutcome } from './commit-outcome.ts'
import { outcomeOf } from './commit-outcome.ts'
import type {
  Attempted,
  BeginHooks,
  DecisionHooks,
  FirstCommit,
  MakeDecision,
  Sent,
  Trying,
  TryingOn,
} from './decision-attempt.ts'
import { madeOf, refused, refusedFor, UnsureDecision } from './decision-attempt.ts'
import type { Definitions } from './definitions.ts'
import type { Executions } from './execution.ts'
import { pauseAfter } from './failure-pause.ts'
import { following } from './following.ts'
import { loadRunState, unlessAway } from './load-run-state.ts'
import { OpenCheckpoint } from './open-checkpoint.ts'
import { epochOfRun } from './run-place.ts'
import { isSafe } from './surely-there.ts'

/** More refusals in a row than this mean that the decision can't be right. */
const refusalsMax = 100

export type { BeginHooks, DecisionHooks, MakeDecision } from './decision-attempt.ts'

export interface RunBook {
  /**
   * Makes a decision about a run and commits it; null when there was nothing to decide. `sent` is called
   * when the decision goes out, and `taken back` when it was refused and will be made anew.
   */
  readonly decide: (runId: RunId, make: MakeDecision, hooks?: DecisionHooks) => Promise<Decision | null>
  /** Begins a run with the state of its first decision. */
  readonly begin: (state: MutableRunState, decision: Decision, hooks?: BeginHooks) => Promise<CommitAnswer>
  /** Available invocations of cached runs other than this one. */
  readonly availableElsewhere: (runId: RunId) => number
  readonly availableCount: () => number
  readonly cachedState: (runId: RunId, ahead?: 'ahead') => RunState | null
  /** Decisions about the run that are sent, and not answered. */
  readonly inFlight: (runId: RunId) => number
  readonly onCommitted: (call: (decision: Decision) => void) => void
  /** Resolves when nothing is in flight. */
  readonly idle: () => Promise<void>
  /** Refuses every decision from now on. */
  readonly close: () => void
}

export interface RunBookDependencies {
  readonly store: Store
  readonly partition: number
  readonly definitions: Definitions
  readonly executions: Pick<Executions, 'get' | 'takeUp'>
  readonly clock: Clock
  readonly log: Logger
}

export const createRunBook = (dependencies: RunBookDependencies): RunBook => new CachedRunBook(dependencies)

const noListener = (): void => {}

class CachedRunBook implements RunBook {
  readonly #dependencies: RunBookDependencies
  readonly #entries = new PassingMap<RunId, Entry>()
  readonly #idleWaiters: (() => void)[] = []
  #availableTotal = 0
  #inFlightTotal = 0
  #closed = false
  #listener: (decision: Decision) => void = noListener

  constructor(dependencies: RunBookDependencies) {
    this.#dependencies = dependencies
  }

  async decide(runId: RunId, make: MakeDecision, hooks: DecisionHooks = {}): Promise<Decision | null> {
    let failures = 0
    let unsure: UnsureDecision | null = hooks.unsure ?? null
    for (let refusals = 0; refusals < refusalsMax; ) {
      if (this.#closed) throw new SagasmithError('store_closed')
      const again = refusals + failures > 0 || unsure !== null
      const epoch = unsure === null ? null : epochOfRun(this.#dependencies.store.info, runId)
      const tried = this.#attempt(runId, unsure?.orElse(make) ?? make, { hooks, again })
      const sent = tried instanceof Promise ? await tried : tried
      const attempted = sent.kind === 'sent' ? this.#conclude(sent, hooks, await sent.outcome) : sent
      if (attempted.kind === 'decided') {
        if (attempted.decision !== null || epoch === null || unsure?.isThere() !== true)
          return attempted.decision
        const isThere = await isSafe(this.#dependencies, runId, epoch)
        const found = isThere ? unsure.takeUp(this.cachedState(runId)) : null
        if (found !== null) {
          hooks.sent?.(found, true)
          this.#listener(found)
          return found
        }
      }
      const { decision } = attempted
      if (decision !== null && decision.started.length > 0) {
        unsure = new UnsureDecision(decision, this.#dependencies.executions)
      }
      if (attempted.kind === 'failed') {
        await pauseAfter(this.#dependencies.clock, failures)
        failures += 1
      } else refusals += 1
    }
    throw changesTooFast(runId)
  }

  async begin(state: MutableRunState, decision: Decision, hooks: BeginHooks = {}): Promise<CommitAnswer> {
    const runId = state.run.id
    const entry = this.#entryOf(runId)
    if (entry.beginning !== null) {
      // The same request is being started: its run is there once that is durable, or this one may try.
      const first = await entry.beginning.answer.catch(() => null)
      return first === null ? this.begin(state, decision, hooks) : { kind: 'repeated' }
    }
    // It was refused, and what went ahead of it is on its way back.
    if (entry.draining !== null) return entry.draining.done.then(() => this.begin(state, decision, hooks))
    if (entry.state !== null || entry.inFlight > 0) return { kind: 'repeated' }
    const answer = this.#begin(entry, { state, decision, hooks }).finally(() => {
      entry.beginning = null
    })
    entry.beginning = { answer, isNew: hooks.isNew === true }
    return answer
  }

  async #begin(entry: Entry, { state, decision, hooks }: FirstCommit): Promise<CommitAnswer> {
    const runId = state.run.id
    this.#adopt(entry, state, epochOfRun(this.#dependencies.store.info, runId))
    this.#change(entry, (current) => applyDecision(current, decision))
    hooks.sent?.(decision, false)
    let accepted = false
    try {
      const { answer, failure } = await this.#send(entry, decision)
      if (answer === null) throw failure
      accepted = answer.kind === 'accepted'
      return answer
    } finally {
      if (!accepted) {
        this.#abandon(entry)
        hooks.takenBack?.(decision)
      }
      this.#answered(runId, entry)
      if (accepted) this.#listener(decision)
    }
  }

  #noteClaimed(entry: Entry, record: InvocationRecord): void {
    const known = entry.state?.invocations.get(record.id)
    if (known !== undefined && known.version >= record.version) return
    this.#change(entry, (state) =>
      applyChanges(state, { run: state.run, invocations: [record], edges: null, nodes: null }),
    )
  }

  availableElsewhere(runId: RunId): number {
    return this.#availableTotal - (this.#entries.get(runId)?.state?.available.size ?? 0)
  }

  availableCount(): number {
    return this.#availableTotal
  }

  cachedState(runId: RunId, ahead?: 'ahead'): RunState | null {
    return stateIn(this.#entries.get(runId), ahead)
  }

  inFlight(runId: RunId): number {
    return this.#entries.get(runId)?.inFlight ?? 0
  }

  onCommitted(call: (decision: Decision) => void): void {
    this.#listener = call
  }

  idle(): Promise<void> {
    if (this.#inFlightTotal === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idleWaiters.push(resolve))
  }

  close(): void {
    this.#closed = true
  }

  /** Sent at once where the state is at hand and certain, as almost always: then nothing but the commit is waited for. */
  #attempt(runId: RunId, make: MakeDecision, how: Trying): Sent | Attempted | Promise<Sent | Attempted> {
    const entry = this.#entryOf(runId)
    if (entry.state === null || uncertainty(entry) !== null) return this.#attemptLater(runId, make, how)
    const { hooks, again } = how
    return this.#attemptOn(entry, make, { hooks, again, runId, state: entry.state, isFresh: false })
  }

  async #attemptLater(runId: RunId, make: MakeDecision, how: Trying): Promise<Sent | Attempted> {
    let entry = this.#entryOf(runId)
    // A begin that turns out to be a repeat leaves another run record: nothing may be decided on its state.
    for (let wait = uncertainty(entry); wait !== null; wait = uncertainty(entry)) {
      await wait
      entry = this.#entryOf(runId)
    }
    const isFresh = entry.state === null
    const state =
      entry.state ?? (await unlessAway(this.#load(runId, entry), { runId, log: this.#dependencies.log }))
    if (state === null) return { kind: 'failed', decision: null }
    if (entry.draining !== null || entry.state !== state) return refused
    return this.#attemptOn(entry, make, { ...how, runId, state, isFresh })
  }

  #attemptOn(entry: Entry, make: MakeDecision, on: TryingOn): Sent | Attempted | Promise<Attempted> {
    const { runId, state, hooks, again } = on
    if (entry.epoch !== epochOfRun(this.#dependencies.store.info, runId)) {
      // What was seen before a failover may never have been: it is looked at again, once what was sent is answered.
      this.#abandon(entry)
      this.#settle(runId, entry)
      return refused
    }
    if (hooks.claimed !== undefined) this.#noteClaimed(entry, hooks.claimed)
    const decision = this.#make(entry, make, { state, shares: hooks.shares === true })
    if ('no' in decision) return this.#decideNothing(entry, on, decision.no)
    this.#change(entry, (current) => applyDecision(current, decision))
    hooks.sent?.(decision, again)
    return { kind: 'sent', runId, entry, decision, outcome: this.#send(entry, decision, hooks.shares) }
  }

  #decideNothing(entry: Entry, on: TryingOn, refusal: Error | null): Attempted | Promise<Attempted> {
    if (entry.inFlight > 0) {
      // Nothing to decide if what was sent is accepted; if it isn't, the fact would be lost.
      return new Promise<void>((resolve) => entry.waiting.push(resolve)).then(() => refused)
    }
    if (!on.isFresh) {
      // Another process may have changed the run since it was loaded: only the store can say no.
      this.#drop(entry)
      return refused
    }
    this.#settle(on.runId, entry)
    if (refusal !== null) throw refusal
    return { kind: 'decided', decision: null }
  }

  #conclude(
    { runId, entry, decision }: Sent,
    hooks: DecisionHooks,
    { answer, failure }: CommitOutcome,
  ): Attempted {
    const { log } = this.#dependencies
    const refusal = answer === null ? uncommitted(log, decision, failure) : null
    // A repeated op-id means that it was decided before, mostly by another process: what it claimed isn't ours.
    if (answer?.kind !== 'accepted') {
      this.#abandon(entry)
      hooks.takenBack?.(decision)
    }
    this.#answered(runId, entry)
    if (refusal !== null) throw refusal
    if (answer === null) return { kind: 'failed', decision }
    if (answer.kind === 'repeated') return { kind: 'refused', decision }
    if (answer.kind === 'refused') return refusedFor(answer.refusal, { runId, hooks, log })
    this.#listener(decision)
    return { kind: 'decided', decision }
  }

  /** A decision that shares the open checkpoint is in it then; what can't is made for one of its own. */
  #make(
    entry: Entry,
    make: MakeDecision,
    { state, shares }: { readonly state: RunState; readonly shares: boolean },
  ): ReturnType<typeof madeOf> {
    const { open } = entry
    if (open !== null && shares) {
      const made = madeOf(make, state, open.written)
      if ('no' in made || open.takes(made.checkpoint)) return made
    }
    this.#closeOpen(entry)
    return madeOf(make, state)
  }

  #send(entry: Entry, { checkpoint }: Decision, shares = false): Promise<CommitOutcome> {
    const after = entry.inFlight > 0 ? entry.tail : null
    entry.inFlight += 1
    this.#inFlightTotal += 1
    if (entry.open !== null) return entry.open.outcome
    entry.tail = checkpoint.opId
    const own = after === null ? checkpoint : following(checkpoint, after)
    if (!shares) return this.#commit(own)
    const open = new OpenCheckpoint(own)
    entry.open = open
    // When nothing is left that is done without waiting, and before anything that was waited for comes in.
    process.nextTick(() => {
      if (entry.open === open) this.#closeOpen(entry)
    })
    return open.outcome
  }

  #closeOpen(entry: Entry): void {
    const { open } = entry
    entry.open = null
    open?.send((checkpoint) => this.#commit(checkpoint))
  }

  #commit(checkpoint: Checkpoint): Promise<CommitOutcome> {
    const { store, partition } = this.#dependencies
    return outcomeOf(store.commit(partition, [checkpoint]))
  }

  /** Call once per decision sent, when what a refusal undoes is undone: until then nothing is certain. */
  #answered(runId: RunId, entry: Entry): void {
    entry.inFlight -= 1
    this.#inFlightTotal -= 1
    this.#settle(runId, entry)
    if (this.#inFlightTotal === 0) for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }

  #entryOf(runId: RunId): Entry {
    const known = this.#entries.get(runId)
    if (known !== undefined) return known
    const entry = newEntry()
    this.#entries.set(runId, entry)
    return entry
  }

  #load(runId: RunId, entry: Entry): Promise<MutableRunState> {
    const epoch = epochOfRun(this.#dependencies.store.info, runId)
    entry.loading ??= loadRunState(this.#dependencies, runId).then(
      (state) => {
        entry.loading = null
        this.#adopt(entry, state, epoch)
        return state
      },
      (thrown: unknown) => {
        entry.loading = null
        if (entry.inFlight === 0) this.#entries.delete(runId)
        throw thrown
      },
    )
    return entry.loading
  }

  #adopt(entry: Entry, state: MutableRunState, epoch: number): void {
    this.#drop(entry)
    entry.state = state
    entry.epoch = epoch
    this.#availableTotal += state.available.size
  }

  #change(entry: Entry, apply: (state: MutableRunState) => void): void {
    if (entry.state === null) return
    this.#availableTotal -= entry.state.available.size
    apply(entry.state)
    this.#availableTotal += entry.state.available.size
  }

  #drop(entry: Entry): void {
    if (entry.state !== null) this.#availableTotal -= entry.state.available.size
    entry.state = null
  }

  /** What was decided on top of a refused commit is wrong: forget it and let the rest drain. */
  #abandon(entry: Entry): void {
    this.#drop(entry)
    if (entry.draining !== null) return
    const { promise: done, resolve } = Promise.withResolvers<void>()
    entry.draining = { done, resolve }
  }

  #settle(runId: RunId, entry: Entry): void {
    if (entry.inFlight > 0) return
    for (const resolve of entry.waiting.splice(0)) resolve()
    if (entry.draining !== null) {
      const { resolve } = entry.draining
      entry.draining = null
      resolve()
    }
    if (entry.state === null || !isWorthKeeping(entry.state)) {
      if (entry.loading !== null) return
      this.#drop(entry)
      this.#entries.delete(runId)
    }
  }
}
