/**
 * After a sleep, a stop or a jump of the clock this process can't know what it still owns: somebody may have
 * taken its work over. So nothing is completed until a renewal has told which leases are still held; what is
 * lost is told to stop, and everything that waits for an instant is looked at again.
 */

import type { Clock } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { ClockWatch } from './clock-watch.ts'

/** What the system tells about its power, where it tells. */
export type PowerHint = 'suspend' | 'resume'

export interface LeaseGate {
  /** Null while it is certain what is owned: almost always. Else resolves once a renewal has told. */
  readonly doubt: () => Promise<void> | null
  /** The system is about to sleep, or woke up. */
  readonly hint: (hint: PowerHint) => void
  /** Says what renews and what is to be looked at afterwards; before it nothing is ever in doubt. */
  readonly guard: (by: GateWork) => void
}

export interface GateWork {
  /** Renews all leases and stops what is lost; false when the store could not be asked. */
  readonly renew: () => Promise<boolean>
  /** Time may have passed that no timer noticed. */
  readonly awoke: () => void
}

export interface LeaseGateOptions {
  readonly clock: Clock
  readonly watch: ClockWatch
  readonly settings: Pick<EngineSettings, 'heartbeatFailuresMax' | 'retryDelayStoreMs'>
}

export function createLeaseGate(options: LeaseGateOptions): LeaseGate {
  return new DoubtfulGate(options)
}

class DoubtfulGate implements LeaseGate {
  readonly #options: LeaseGateOptions
  #work: GateWork | null = null
  #doubt: Promise<void> | null = null
  /** Something happened while a renewal was under way, which says nothing about what came after it began. */
  #again = false

  constructor(options: LeaseGateOptions) {
    this.#options = options
    options.watch.onNews(() => this.#revalidate())
  }

  guard(by: GateWork): void {
    this.#work = by
  }

  doubt(): Promise<void> | null {
    this.#options.watch.check()
    return this.#doubt
  }

  hint(hint: PowerHint): void {
    this.#options.watch.check()
    // Before the sleep there is time for one more renewal; after it this may be the first sign of it.
    if (hint === 'suspend' || this.#doubt === null) this.#revalidate()
  }

  #revalidate(): void {
    const work = this.#work
    if (work === null) return
    if (this.#doubt !== null) {
      this.#again = true
      return
    }
    this.#doubt = this.#renewed(work).finally(() => {
      this.#doubt = null
      work.awoke()
    })
  }

  /** Gives up when renewing itself does: by then everything was told to stop, and the fence keeps the rest. */
  async #renewed(work: GateWork): Promise<void> {
    const { clock, settings } = this.#options
    for (let failures = 0; failures < settings.heartbeatFailuresMax; ) {
      this.#again = false
      const isTold = await work.renew()
      if (isTold && !this.#again) return
      if (isTold) continue
      failures += 1
      await new Promise<void>((resolve) => clock.after(settings.retryDelayStoreMs, resolve))
    }
  }
}
