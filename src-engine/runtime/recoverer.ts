/** Takes over what dead runners owned: at the start, when a process of this host dies, when a lease expires. */

import { recordOfThrown } from '../model/errors.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Millis } from '../model/time.ts'
import type { Recovery } from './recovery.ts'
import type { RunnerDependencies } from './runner.ts'

export interface Recoverer {
  /** One sweep; returns how many invocations were taken over. */
  readonly sweep: () => Promise<number>
  readonly start: () => void
  readonly stop: () => void
}

/** Who hears what a sweep came to. */
export interface RecovererListeners {
  /** It took something. */
  readonly recovered: () => void
  /** Somebody is gone: what they had in their hands is nobody's. */
  readonly gone: () => void
}

export function createRecoverer(
  dependencies: RunnerDependencies,
  recovery: Recovery,
  listeners: RecovererListeners,
): Recoverer {
  return new SweepRecoverer(dependencies, recovery, listeners)
}

class SweepRecoverer implements Recoverer {
  readonly #dependencies: RunnerDependencies
  readonly #recovery: Recovery
  readonly #listeners: RecovererListeners
  #running = false
  #observedAt: Millis = Number.NEGATIVE_INFINITY
  #cancel: () => void = () => {}

  constructor(dependencies: RunnerDependencies, recovery: Recovery, listeners: RecovererListeners) {
    this.#dependencies = dependencies
    this.#recovery = recovery
    this.#listeners = listeners
  }

  start(): void {
    this.#running = true
    this.#later()
  }

  stop(): void {
    this.#running = false
    this.#cancel()
  }

  #later(): void {
    const { clock, log, settings } = this.#dependencies
    this.#cancel = clock.after(settings.deadProcessCheckMs, () => {
      this.sweep()
        .catch((thrown: unknown) => log.warn('recovery.failed', { error: recordOfThrown(thrown).message }))
        .finally(() => {
          if (this.#running) this.#later()
        })
    })
  }

  async sweep(): Promise<number> {
    const dead = await this.#recovery.deadRunners()
    const { taken, isComplete } = await this.#recovery.recoverLost(dead)
    if (isComplete) for (const runner of dead) await this.#bury(runner)
    const silent = await this.#observe()
    const count = taken.length + silent
    if (count > 0) this.#listeners.recovered()
    // Who has just begun takes it all by itself.
    if (this.#running && (count > 0 || (isComplete && dead.length > 0))) this.#listeners.gone()
    return count
  }

  async #observe(): Promise<number> {
    const { settings, watch } = this.#dependencies
    const now = watch.steady()
    if (now - this.#observedAt < settings.heartbeatIntervalMs) return 0
    this.#observedAt = now
    return (await this.#recovery.observe()).taken.length
  }

  /** Its row stays as history, but nobody has to ask again whether it lives. */
  async #bury(runner: RunnerRecord): Promise<void> {
    const { store, partition, clock, executor } = this.#dependencies
    const now = clock.now()
    executor.failpoints('recovery.before-bury')
    await store.renew({
      partition,
      runner: { ...runner, stoppedAt: now, active: 0 },
      leases: [],
      expiresAt: now,
    })
  }
}
