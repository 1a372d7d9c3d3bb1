/** Durable instants: what is parked until one, and runs that have a deadline. Fired at once when due. */

import { timeOutRun, wake } from '../core/requests.ts'
import type { RunState } from '../core/run-state.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { Instant, Millis } from '../model/time.ts'
import { second } from '../model/time.ts'
import type { Hint } from '../store/hints.ts'
import { news, tells } from '../store/hints.ts'
import type { DueItem } from '../store/store.ts'
import type { Claimer } from './claimer.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

/** How many are fired at a time; the rest waits until there is room. */
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
  /** What is being fired, and until when what was fired in vain is left alone; null while it is under way. */
  readonly #fired = new Map<string, Instant | null>()
  #underWay = 0
  /** Whether more is due than there was room for: the next look is when there is some again. */
  #isFull = false

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
      const hint: Hint = (origin, found) => {
        if (origin === 'elsewhere' && tells(found, news.due)) {
          this.expect(Math.max(clock.now(), this.#lookedAt + othersNewsMs))
        }
      }
      this.#unwatch = store.watch(partition, hint, 'news')
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
        this.#lookAgainAt(nextAt)
      },
      (thrown: unknown) => {
        this.#looking = false
        const { clock, log, settings } = this.#dependencies
        log.warn('timers.failed', { error: recordOfThrown(thrown).message })
        if (this.#running) this.#schedule(clock.now() + settings.retryDelayStoreMs)
      },
    )
  }

  #lookAgainAt(nextAt: Instant | null): void {
    const { clock, settings } = this.#dependencies
    // Other processes make timers too; and a clock that jumped is noticed at the latest then.
    const latest = clock.now() + settings.pollIntervalMs
    const at = Math.min(nextAt ?? Number.POSITIVE_INFINITY, latest, this.#nextAt)
    if (this.#running) this.#schedule(at)
  }

  /** When to look again. What is due later needn't wait until this is committed: both may share a commit. */
  async #fire(): Promise<Instant | null> {
    const { store, partition, clock, settings } = this.#dependencies
    const now = clock.now()
    for (const [key, until] of this.#fired) if (until !== null && until <= now) this.#fired.delete(key)
    const room = dueMax - this.#underWay
    const { due, nextAt } = await store.listDue({ partition, now, limit: room + this.#fired.size })
    if (!this.#running) return null
    const fresh = due.filter((item) => !this.#fired.has(keyOf(item)))
    for (const item of fresh.slice(0, room)) this.#begin(item)
    this.#claimer.poke()
    const isLeftOver = fresh.length > room || (nextAt !== null && nextAt <= now)
    this.#isFull = isLeftOver && this.#underWay > 0
    // What stays listed is no reason to look at once: a run that is due only by a clock that was set ahead, and
    // what failed.
    return isLeftOver ? now + settings.retryDelayStoreMs : nextAt
  }

  #begin(item: DueItem): void {
    const key = keyOf(item)
    this.#fired.set(key, null)
    this.#underWay += 1
    void this.#tryToHandle(item).then((hasChanged) => {
      const { clock, settings } = this.#dependencies
      this.#underWay -= 1
      if (hasChanged) this.#fired.delete(key)
      else this.#fired.set(key, clock.now() + settings.retryDelayStoreMs)
      if (this.#isFull && this.#underWay <= dueMax / 2) this.expect(clock.now())
    })
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
    const { book, executor, watch } = this.#dependencies
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
          opId: opId(operationOf(item, state)),
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

/** A step may be due more than once: who stood still since it looked wakes it for what it waits for by now. */
function operationOf(item: DueItem, { invocations }: RunState): string {
  if (item.kind !== 'wake') return keyOf(item)
  return `wake:${item.invocationId}:${invocations.get(item.invocationId)?.version ?? 0}`
}

const keyOf = (item: DueItem): string =>
  item.kind === 'wake' ? `wake:${item.invocationId}:${item.dueAt}` : `deadline:${item.runId}:${item.dueAt}`
