/** The turns of the heartbeat's thread: renew, and judge whether the main loop is still at work. */

import { recordOfThrown } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { Clock } from '../model/ports.ts'
import type { Instant } from '../model/time.ts'
import type { HeartbeatNews, HeartbeatTimes, HeldWork } from './heartbeat-driver.ts'

export interface RenewalLoop {
  /** One turn now. */
  readonly beat: () => Promise<void>
  readonly start: () => void
  /** Resolves when the turn under way has ended. */
  readonly stop: () => Promise<void>
}

export interface RenewalLoopDependencies extends HeartbeatTimes {
  readonly clock: Clock
  readonly held: () => HeldWork
  /** Grows as long as the main loop turns. */
  readonly progress: () => number
  readonly renew: (
    held: HeldWork,
    expiresAt: Instant,
  ) => Promise<{ readonly lost: readonly InvocationId[]; readonly cancelRequested: readonly InvocationId[] }>
  readonly tell: (news: HeartbeatNews) => void
}

export function createRenewalLoop(dependencies: RenewalLoopDependencies): RenewalLoop {
  return new TimedRenewals(dependencies)
}

class TimedRenewals implements RenewalLoop {
  readonly #dependencies: RenewalLoopDependencies
  #failures = 0
  #seen = -1
  #seenAt = 0
  #withheld = false
  #running = false
  #turn: Promise<void> = Promise.resolve()
  #cancel: () => void = () => {}

  constructor(dependencies: RenewalLoopDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#running = true
    this.#look()
    this.#later()
  }

  stop(): Promise<void> {
    this.#running = false
    this.#cancel()
    return this.#turn
  }

  async beat(): Promise<void> {
    const { clock, claimTtlMs, stallLimitMs, held, renew, tell } = this.#dependencies
    const silentMs = this.#look()
    // Half of the lease is left to whoever takes over: the stalled loop finds its fence gone.
    if (silentMs >= Math.min(stallLimitMs, claimTtlMs / 2)) {
      if (!this.#withheld) tell({ kind: 'withheld', silentMs })
      this.#withheld = true
      return
    }
    this.#withheld = false
    try {
      const answer = await renew(held(), clock.now() + claimTtlMs)
      this.#failures = 0
      tell({ kind: 'renewed', ...answer })
    } catch (thrown) {
      this.#failures += 1
      tell({ kind: 'failed', inARow: this.#failures, message: recordOfThrown(thrown).message })
    }
  }

  /** For how long the main loop has made no progress. */
  #look(): number {
    const { clock, progress } = this.#dependencies
    const current = progress()
    const now = clock.monotonic()
    if (current !== this.#seen) {
      this.#seen = current
      this.#seenAt = now
    }
    return now - this.#seenAt
  }

  #later(): void {
    this.#cancel = this.#dependencies.clock.after(this.#dependencies.intervalMs, () => {
      this.#turn = this.beat().finally(() => {
        if (this.#running) this.#later()
      })
    })
  }
}
