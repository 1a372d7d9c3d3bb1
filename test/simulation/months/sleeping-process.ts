/** A process whose machine sleeps: its timers and its monotonic clock don't count that time, its wall clock does. */

import type { Clock } from '../../../src-engine/model/ports.ts'
import { SimulatedProcess } from '../world.ts'

interface Timer {
  at: number
  readonly call: () => void
  cancel: () => void
}

export class SleepingProcess extends SimulatedProcess {
  asleepUntil = 0
  readonly #timers = new Set<Timer>()
  #uncounted = 0

  /** Whether somebody outside could reach it now. */
  get awake(): boolean {
    return this.alive && this.world.now >= this.asleepUntil
  }

  override plan(span: number, call: () => void): () => void {
    const timer: Timer = {
      at: Math.max(this.world.now, this.asleepUntil) + Math.max(0, span),
      call,
      cancel: () => {},
    }
    this.#arm(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  /** Nothing of it happens for a while; what it was about to do, it does afterwards. */
  sleepFor(ms: number): void {
    if (!this.alive) return
    this.asleepUntil = Math.max(this.world.now, this.asleepUntil) + ms
    this.#uncounted += ms
    for (const timer of [...this.#timers]) {
      timer.cancel()
      timer.at += ms
      this.#arm(timer)
    }
  }

  /** At once: what was put off by its sleep is done now, or when it would have been. */
  wake(): void {
    const restMs = this.asleepUntil - this.world.now
    if (restMs <= 0) return
    this.asleepUntil = this.world.now
    this.#uncounted -= restMs
    for (const timer of [...this.#timers]) {
      timer.cancel()
      timer.at -= restMs
      this.#arm(timer)
    }
  }

  /** It never does anything again, nor is anything kept of what it would have done. */
  override die(): void {
    super.die()
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
  }

  override clock(): Clock {
    return {
      now: () => this.world.now + this.skew,
      monotonic: () => this.world.now - this.#uncounted,
      uptime: () => this.world.now,
      after: (span, call) => this.plan(span, call),
    }
  }

  #arm(timer: Timer): void {
    this.#timers.add(timer)
    timer.cancel = this.world.at(timer.at, () => {
      this.#timers.delete(timer)
      if (this.alive) timer.call()
    })
  }
}
