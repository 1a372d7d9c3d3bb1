/** Durable instants: what is parked until one, and runs that have a deadline. Fired at once when due. */

import { timeOutRun, wake } from '../core/requests.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { Instant, Millis } from '../model/time.ts'
import { second } from '../model/time.ts'
import type { DueItem } from '../store/store.ts'
import type { Claimer } from './claimer.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

const dueMax = 200
/** What others write is looked through for instants at most this often. */
const othersNewsMs: Millis = second

export interface Timers {
  /** A record with this instant was written; look again no later than then. */
  readonly expect: (at: Instant) => void
  /** Looks at once: time may have passed that no timer noticed. */
  readonly recheck: () => void
  readonly start: () => void
  readonly stop: () => void
}

export function createTimers(dependencies: RunnerDependencies, runner: Runner, claimer: Claimer): Timers {
  return new DueTimers(dependencies, runner, claimer)
}

class DueTimers implements Timers {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  readonly #claimer: Claimer
  #running = false
  #nextAt: Instant = Number.POSITIVE_INFINITY
  #cancel: () => void = () => {}
  #unwatch: () => void = () => {}
  #lookedAt: Instant = 0
  #looking = false

  constructor(dependencies: RunnerDependencies, runner: Runner, claimer: Claimer) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#claimer = claimer
  }

  start(): void {
    this.#running = true
    const { store, partition, clock } = this.#dependencies
    if (store.info.multiProcess) {
      // What others write may be due before the next look: a pause before a retry, mostly.
      this.#unwatch = store.watch(partition, (origin) => {
        if (origin === 'elsewhere') this.expect(Math.max(clock.now(), this.#lookedAt + othersNewsMs))
      })
    }
    this.#look()
  }

  stop(): void {
    this.#running = false
    this.#unwatch()
    this.#cancel()
  }

  expect(at: Instant): void {
    if (!this.#running || at >= this.#nextAt) return
    this.#schedule(at)
  }

  recheck(): void {
    if (!this.#running) return
    this.#cancel()
    this.#look()
  }

  #schedule(at: Instant): void {
    const { clock } = this.#dependencies
    this.#cancel()
    this.#nextAt = at
    this.#cancel = clock.after(Math.max(0, at - clock.now()), () => this.#look())
  }

  #look(): void {
    if (this.#looking) return
    this.#looking = true
    this.#lookedAt = this.#dependencies.clock.now()
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#fire().then(
      (nextAt) => {
        this.#looking = false
        const { clock, settings } = this.#dependencies
        // Other processes make timers too; and a clock that jumped is noticed at the latest then.
        const latest = clock.now() + settings.pollIntervalMs
        const at = Math.min(nextAt ?? Number.POSITIVE_INFINITY, latest, this.#nextAt)
        if (this.#running) this.#schedule(at)
      },
      (thrown: unknown) => {
        this.#looking = false
        const { clock, log, settings } = this.#dependencies
        log.warn('timers.failed', { error: recordOfThrown(thrown).message })
        if (this.#running) this.#schedule(clock.now() + settings.retryDelayStoreMs)
      },
    )
  }

  async #fire(): Promise<Instant | null> {
    const { store, partition, clock, settings } = this.#dependencies
    const now = clock.now()
    const { due, nextAt } = await store.listDue({ partition, now, limit: dueMax })
    const changed = await Promise.all(due.map((item) => this.#tryToHandle(item)))
    this.#claimer.poke()
    // What stays listed is no reason to look at once: owned work until its owner has answered, a run that is
    // due only by a clock that was set ahead, and what failed.
    if (due.length === dueMax && changed.includes(true)) return now
    return nextAt !== null && nextAt <= now ? now + settings.retryDelayStoreMs : nextAt
  }

  /** One run that can't be woken must not keep the others asleep; it is tried again. */
  async #tryToHandle(item: DueItem): Promise<boolean> {
    try {
      return await this.#handle(item)
    } catch (thrown) {
      const error = recordOfThrown(thrown).message
      this.#dependencies.log.warn('timer.failed', { runId: item.runId, error })
      return false
    }
  }

  /** Whether that changed anything. */
  async #handle(item: DueItem): Promise<boolean> {
    // The owner of the work measures its time itself; of what has no owner any more, recovery takes care.
    if (item.kind === 'deadline') return false
    const { book, executor, watch } = this.#dependencies
    const name = item.kind === 'wake' ? `wake:${item.invocationId}` : `deadline:${item.runId}`
    executor.failpoints('wake.before-commit')
    const decision = await book.decide(
      item.runId,
      (state) => {
        const { deadlineAt, createdAt } = state.run
        // What the wall clock was set ahead by was no time of the run.
        const isEarly = deadlineAt !== null && watch.nowSince(createdAt) < deadlineAt
        if (item.kind === 'run-deadline' && isEarly) return null
        const context = this.#runner.context({
          actor: item.kind === 'wake' ? 'timer' : 'reconciler',
          cause: { kind: item.kind === 'wake' ? 'timer' : 'timeout', by: null, detail: null },
          opId: opId(`${name}:${item.dueAt}`),
          runId: item.runId,
        })
        return item.kind === 'wake' ? wake(state, context, item.invocationId) : timeOutRun(state, context)
      },
      { sent: (made) => this.#runner.reserve(made), takenBack: (made) => this.#runner.unreserve(made) },
    )
    executor.failpoints('wake.after-commit')
    if (decision === null) return false
    this.#runner.execute(decision.started)
    return true
  }
}
