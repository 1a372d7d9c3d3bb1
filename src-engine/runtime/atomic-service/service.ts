/**
 * The chores of this process: looks on a timer whether it is its turn, and wakes for its own slot, for what
 * is due, and when told. One turn at a time; who finds everything decided leaves no trace.
 */

import type { ActiveRunner } from '../../core/atomic-service/decide.ts'
import { byAge, effectiveMarginMs, nextSlotStart } from '../../core/atomic-service/decide.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Schedule, Schedules } from '../schedules/schedules.ts'
import type { StartKind } from './execution-record.ts'
import type { PerformDependencies, Performed } from './perform.ts'
import { claimNow, perform } from './perform.ts'

/** Something happened outside of the slots. */
export type WakeReason = Extract<StartKind, 'event' | 'lost-lease'>

export interface AtomicService {
  /** Makes the schedules known and begins to look. */
  readonly start: () => Promise<void>
  /** Looks no more; resolves when the turn that is on has ended. */
  readonly stop: () => Promise<void>
  /** Takes a turn at once, in whosever slot that is. */
  readonly wake: (reason: WakeReason) => void
  /** Looks at once whether it is its turn: time may have passed that no timer noticed. */
  readonly recheck: () => void
}

export interface AtomicServiceDependencies extends Omit<PerformDependencies, 'evaluate'> {
  readonly schedules: Schedules
  readonly registered: readonly Schedule[]
  /** Writes this runner's row, so that it finds itself among the active ones. */
  readonly beat: () => Promise<unknown>
}

/**
 * At a due instant the slot's owner begins at once and the others after it, one by one: so there is one start
 * and not one refusal per runner, and the death of the owner costs seconds.
 */
const headStartMs = second
const headStartMsMax = 30 * second

/** The unit; nothing happens before `start`. */
export function createAtomicService(dependencies: AtomicServiceDependencies): AtomicService {
  return new TimedService(dependencies)
}

class TimedService implements AtomicService {
  readonly #dependencies: AtomicServiceDependencies
  #running = false
  #turn: Promise<void> | null = null
  #woken: WakeReason | null = null
  #doneCycle: Instant | null = null
  #cancel: () => void = () => {}

  constructor(dependencies: AtomicServiceDependencies) {
    this.#dependencies = dependencies
  }

  async start(): Promise<void> {
    const { schedules, registered } = this.#dependencies
    for (const schedule of registered) await schedules.register(schedule)
    this.#running = true
    this.#look()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#cancel()
    await this.#turn
  }

  wake(reason: WakeReason): void {
    this.#woken = reason
    if (this.#running) this.#look()
  }

  recheck(): void {
    if (this.#running) this.#look()
  }

  /** Never two at a time: what comes meanwhile is looked at right after. */
  #look(): void {
    if (this.#turn !== null) return
    this.#cancel()
    const { log, settings, clock } = this.#dependencies
    const later = (at: Instant): void => {
      this.#turn = null
      if (!this.#running) return
      if (this.#woken !== null) this.#look()
      else this.#cancel = clock.after(Math.max(1, Math.ceil(at - clock.now())), () => this.#look())
    }
    this.#turn = this.#takeTurn().then(later, (thrown: unknown) => {
      log.warn('atomic-service.failed', { error: recordOfThrown(thrown).message })
      later(clock.now() + settings.atomicServiceCheckIntervalMs)
    })
  }

  /** Resolves with the instant of the next look. */
  async #takeTurn(): Promise<Instant> {
    const { beat, activeRunners, clock, schedules, settings } = this.#dependencies
    await beat()
    await schedules.refresh()
    const runners = (await activeRunners()).toSorted(byAge)
    const kind = this.#kindNow(runners)
    const performed = kind === null ? null : await this.#perform(kind, runners)
    const now = clock.now()
    const due = schedules.nextAt() ?? Number.POSITIVE_INFINITY
    // What a turn for it could not decide is tried again, but not in a hurry.
    const pauseMs = performed === 'completed' ? second : settings.atomicServiceCheckIntervalMs
    const dueTurn = kind === 'due' && due <= now ? now + pauseMs : due + this.#headStart(runners, due)
    const slot = this.#nextSlot(runners) ?? Number.POSITIVE_INFINITY
    return Math.min(now + settings.atomicServiceCheckIntervalMs, dueTurn, slot)
  }

  /** Why to begin now; null for not at all. */
  #kindNow(runners: readonly ActiveRunner[]): StartKind | null {
    const woken = this.#woken
    this.#woken = null
    if (woken !== null) return woken
    const { clock, schedules } = this.#dependencies
    const now = clock.now()
    const due = schedules.nextAt()
    if (due !== null && due + this.#headStart(runners, due) <= now) return 'due'
    const { cycleStart } = claimNow(this.#dependencies, runners, now)
    return cycleStart === this.#doneCycle ? null : 'slot'
  }

  async #perform(kind: StartKind, runners: readonly ActiveRunner[]): Promise<Performed> {
    const { schedules, clock } = this.#dependencies
    const { cycleStart, run } = claimNow(this.#dependencies, runners, clock.now())
    const performed = await perform(
      {
        ...this.#dependencies,
        activeRunners: async () => runners,
        evaluate: (opened) => schedules.evaluate(opened),
      },
      kind,
    )
    // Whatever else it was, a turn in the own slot did what the slot is for.
    const wasSlots = kind === 'slot' ? performed !== 'skipped' : performed === 'completed' && run !== null
    if (wasSlots) this.#doneCycle = cycleStart
    return performed
  }

  /** How long this runner waits for those who come before it at an instant. */
  #headStart(runners: readonly ActiveRunner[], at: Instant): Millis {
    const { position, assignedRunnerId, runnerCount } = claimNow(this.#dependencies, runners, at)
    const owner = runners.findIndex(({ id }) => id === assignedRunnerId)
    if (position === null || owner === -1) return headStartMsMax
    return Math.min(((position - owner + runnerCount) % runnerCount) * headStartMs, headStartMsMax)
  }

  #nextSlot(runners: readonly ActiveRunner[]): Instant | null {
    const { settings, runnerId, clock } = this.#dependencies
    const intervalMs = settings.atomicServiceIntervalMs
    return nextSlotStart({
      runnerId,
      activeRunners: runners,
      now: clock.now() + 1,
      intervalMs,
      marginMs: effectiveMarginMs(intervalMs, settings.atomicServiceSpreadMarginMs, runners.length),
      stabilizationMs: settings.atomicServiceMembershipStabilizationMs,
      maxStartSlotFraction: settings.atomicServiceMaxStartSlotFraction,
    })
  }
}
