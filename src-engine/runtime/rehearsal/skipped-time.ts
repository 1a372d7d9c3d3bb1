/**
 * Time that passes only where nothing else happens: a rehearsal waits for no backoff and no timeout. Between
 * two instants, everything that the last one set in motion comes to rest, so a rehearsal repeats itself.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Clock } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import { eventLoopTurn } from '../system-ports.ts'

interface Planned {
  readonly at: Instant
  readonly order: number
  readonly call: () => void
}

/** A story of minutes takes hundreds. */
const happeningsMax = 50_000
/** The real time that one step's work may take, in ms. */
const patienceMs = 30_000

export class SkippedTime {
  now: Instant
  /** Real work under way, such as an expression in its thread: until it is done, no time passes. */
  #busy = 0
  #order = 0
  #happened = 0
  readonly #planned = new Set<Planned>()

  /** The time in which real work is done. */
  readonly real: Clock

  constructor(begin: Instant, real: Clock) {
    this.now = begin
    this.real = real
  }

  /** Timers of whoever dies are never called. */
  clock(isAlive: () => boolean): Clock {
    return {
      now: () => this.now,
      monotonic: () => this.now,
      uptime: () => this.now,
      after: (span, call) => {
        this.#order += 1
        const own = { at: this.now + Math.max(0, span), order: this.#order, call: () => isAlive() && call() }
        this.#planned.add(own)
        return () => this.#planned.delete(own)
      },
    }
  }

  /** Real work that time waits for. */
  async during<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
    }
  }

  /** Lets time pass until it is so. Throws `rehearsal_without_end` when it never is. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await this.#rest()
    while (!(await isSo())) {
      const next = this.#next()
      this.#happened += 1
      if (next === null || this.#happened > happeningsMax) throw new SagasmithError('rehearsal_without_end')
      this.#planned.delete(next)
      this.now = Math.max(this.now, next.at)
      next.call()
      await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    const began = this.real.monotonic()
    do {
      await eventLoopTurn()
      if (this.real.monotonic() - began > patienceMs) throw new SagasmithError('rehearsal_without_end')
    } while (this.#busy > 0)
  }

  #next(): Planned | null {
    let first: Planned | null = null
    for (const one of this.#planned) {
      if (first === null || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one
    }
    return first
  }
}
