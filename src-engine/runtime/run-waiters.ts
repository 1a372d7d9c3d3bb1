/** Waiting for the end of a run, whoever brings it about: this process at once, another by the feed's hint. */

import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import { PassingMap } from '../model/passing-map.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { RunRecord } from '../model/run.ts'
import { hasComeToRest, runMachine } from '../model/run-status.ts'
import type { Millis } from '../model/time.ts'
import type { Store } from '../store/store.ts'
import { partitionOfRun } from './run-place.ts'

/** Hints come with every commit; the record is looked at no more often than this. */
const lookMs = 100
/** Of what this process has at hand it tells itself: only what others write must be looked at, and this often. */
const lookAtAllMs = 1_000
/** Ends that nobody waited for are kept, as long as a look may be old: of runs that ended before their start was told. */
const latelyMax = 256

export interface RunWaiters {
  readonly wait: (runId: RunId, signal?: AbortSignal) => Promise<RunRecord>
  /** This process committed a change of it. */
  readonly committed: (run: RunRecord) => void
  readonly close: () => void
}

interface Dependencies {
  readonly store: Store
  readonly partition: number
  readonly clock: Clock
  readonly log: Logger
  /** Whether this process has the run at hand and not ended: then it will tell. */
  readonly isUnderWay: (runId: RunId) => boolean
}

interface Waiter {
  readonly resolve: (run: RunRecord) => void
  readonly reject: (error: unknown) => void
}

export function createRunWaiters(dependencies: Dependencies): RunWaiters {
  return new HintedWaiters(dependencies)
}

class HintedWaiters implements RunWaiters {
  readonly #dependencies: Dependencies
  readonly #waiters = new PassingMap<RunId, Set<Waiter>>()
  /** Who ends what this process has at hand tells it itself: only where others may, their commits are heard of. */
  readonly #unwatch = new Map<number, () => void>()
  #pendingLook = false
  /** Whether others wrote since all were looked at. */
  #othersWrote = false
  /** On the monotonic clock. */
  #lookedAtAll: Millis = 0
  #isPlanned = false
  /** The oldest first. */
  readonly #lately = new PassingMap<RunId, { readonly run: RunRecord; readonly at: Millis }>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async wait(runId: RunId, signal?: AbortSignal): Promise<RunRecord> {
    const ended = this.#endedLately(runId)
    if (ended !== null) return ended
    const waiting = this.#add(runId, signal)
    if (this.#dependencies.isUnderWay(runId)) this.#lookAtAllLater()
    // Between two decisions this process may not have it at hand: what is still so at the next look is another's.
    else if (await this.#isOpen(runId)) this.#hint()
    return waiting
  }

  /** Tells who waits when it has ended, or isn't there at all. */
  async #isOpen(runId: RunId): Promise<boolean> {
    const { store, partition } = this.#dependencies
    const run = await store.load(partition, 'run', { runId })
    if (run === null) {
      this.#take(runId, (waiter) =>
        waiter.reject(
          new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } }),
        ),
      )
    } else if (hasComeToRest(run.status)) this.#ended(run)
    return this.#waiters.has(runId)
  }

  committed(run: RunRecord): void {
    this.#lately.delete(run.id)
    if (!hasComeToRest(run.status)) return
    if (!this.#waiters.has(run.id) && runMachine.final.has(run.status)) this.#keep(run)
    this.#ended(run)
  }

  #ended(run: RunRecord): void {
    this.#take(run.id, (waiter) => waiter.resolve(run))
  }

  #keep(run: RunRecord): void {
    this.#lately.set(run.id, { run, at: this.#dependencies.clock.monotonic() })
    if (this.#lately.size <= latelyMax) return
    const [oldest] = this.#lately.keys()
    if (oldest !== undefined) this.#lately.delete(oldest)
  }

  /** Told once: who asks again asks what is there by then. */
  #endedLately(runId: RunId): RunRecord | null {
    const kept = this.#lately.get(runId)
    if (kept === undefined) return null
    this.#lately.delete(runId)
    return this.#dependencies.clock.monotonic() - kept.at <= lookMs ? kept.run : null
  }

  close(): void {
    for (const runId of [...this.#waiters.keys()]) {
      this.#take(runId, (waiter) => waiter.reject(new SagasmithError('engine_stopped')))
    }
    this.#stopWatching()
  }

  #add(runId: RunId, signal?: AbortSignal): Promise<RunRecord> {
    return new Promise<RunRecord>((resolve, reject) => {
      const waiter: Waiter = { resolve, reject }
      const known = this.#waiters.get(runId) ?? new Set()
      known.add(waiter)
      this.#waiters.set(runId, known)
      signal?.addEventListener('abort', () => {
        known.delete(waiter)
        reject(new SagasmithError('task_cancelled', { message: 'Stopped waiting for the run.' }))
      })
    })
  }

  #watch(runId: RunId): void {
    const { store } = this.#dependencies
    const partition = partitionOfRun(store.info, runId)
    if (this.#unwatch.has(partition)) return
    const unwatch = store.watch(partition, (origin) => {
      if (origin === 'elsewhere') this.#othersWrote = true
      this.#hint()
    })
    this.#unwatch.set(partition, unwatch)
  }

  #stopWatching(): void {
    for (const unwatch of this.#unwatch.values()) unwatch()
    this.#unwatch.clear()
  }

  #take(runId: RunId, call: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(runId)
    this.#waiters.delete(runId)
    for (const waiter of waiters ?? []) call(waiter)
    // Whoever only waits now and then makes others' writes no dearer in between.
    if (this.#waiters.size === 0) this.#stopWatching()
  }

  #hint(): void {
    if (this.#pendingLook || this.#waiters.size === 0) return
    this.#pendingLook = true
    this.#dependencies.clock.after(lookMs, () => {
      this.#pendingLook = false
      this.#look().catch((thrown: unknown) => {
        // Who waited has been told meanwhile, or the engine has stopped: nothing is missed.
        if (this.#waiters.size === 0) return
        this.#dependencies.log.warn('wait.failed', { error: recordOfThrown(thrown).message })
        // Perhaps no further hint comes: look again.
        this.#othersWrote = true
        this.#hint()
      })
    })
  }

  /** Another engine on this very store may have ended what this one has at hand. */
  #lookAtAllLater(): void {
    if (this.#isPlanned || this.#waiters.size === 0) return
    this.#isPlanned = true
    this.#dependencies.clock.after(lookAtAllMs, () => {
      this.#isPlanned = false
      this.#hint()
    })
  }

  async #look(): Promise<void> {
    const { clock, isUnderWay } = this.#dependencies
    const now = clock.monotonic()
    const isForAll = this.#othersWrote || now - this.#lookedAtAll >= lookAtAllMs
    if (isForAll) {
      this.#othersWrote = false
      this.#lookedAtAll = now
    }
    for (const runId of [...this.#waiters.keys()]) {
      // Told while another's record was looked at.
      if (!this.#waiters.has(runId)) continue
      const isOwn = isUnderWay(runId)
      if (!isForAll && isOwn) continue
      // A store that begins to be watched tells what came in between.
      if ((await this.#isOpen(runId)) && !isUnderWay(runId)) this.#watch(runId)
    }
    this.#lookAtAllLater()
  }
}
