/**
 * One timer for the deadlines of all running attempts: almost none is ever reached. An attempt's time is
 * what passes, not what the wall clock says: setting that clock neither ends an attempt nor prolongs it, and
 * a sleep of the machine counts.
 */

import type { Clock } from '../model/ports.ts'
import type { Instant, Millis } from '../model/time.ts'

export interface Deadlines {
  /** Calls once at the instant. */
  readonly expect: (at: Instant, call: () => void) => ExpectedDeadline
  /** Looks at once: time may have passed that no timer noticed. */
  readonly recheck: () => void
}

export interface ExpectedDeadline {
  readonly cancel: () => void
  readonly isPast: () => boolean
}

/** A class, not an object of closures: there is one for every attempt. */
class Expected implements ExpectedDeadline {
  /** On the steady clock. */
  readonly at: Millis
  readonly call: () => void
  readonly #among: Set<Expected>
  readonly #steady: () => Millis

  constructor(
    told: { readonly at: Millis; readonly call: () => void },
    among: Set<Expected>,
    steady: () => Millis,
  ) {
    this.at = told.at
    this.call = told.call
    this.#among = among
    this.#steady = steady
  }

  cancel(): void {
    this.#among.delete(this)
  }

  isPast(): boolean {
    return this.#steady() >= this.at
  }
}

/** As many as there are slots are expected at a time, so all of them are looked through. */
export function createDeadlines(clock: Clock, steady: () => Millis): Deadlines {
  const expected = new Set<Expected>()
  let nextAt: Millis = Number.POSITIVE_INFINITY
  let cancelTimer: () => void = () => {}
  const arm = (at: Millis): void => {
    cancelTimer()
    nextAt = at
    cancelTimer = clock.after(at - steady(), ring)
  }
  const ring = (): void => {
    nextAt = Number.POSITIVE_INFINITY
    const now = steady()
    let earliest = Number.POSITIVE_INFINITY
    for (const item of [...expected]) {
      if (item.at > now) earliest = Math.min(earliest, item.at)
      else if (expected.delete(item)) item.call()
    }
    // A timer may ring early when its span is longer than the system's timers can be.
    if (earliest < nextAt) arm(earliest)
  }
  return {
    expect(at, call) {
      const item = new Expected({ at: steady() + (at - clock.now()), call }, expected, steady)
      expected.add(item)
      // The timer of what was cancelled is left to ring: mostly the next attempt wants it a little later.
      if (item.at < nextAt) arm(item.at)
      return item
    },
    recheck() {
      if (expected.size === 0) return
      cancelTimer()
      ring()
    },
  }
}
