/** One timer for the deadlines of all running attempts: almost none is ever reached. */

import type { Clock } from '../model/ports.ts'
import type { Instant } from '../model/time.ts'

export interface Deadlines {
  /** Calls once at the instant; returns the way to cancel. */
  readonly expect: (at: Instant, call: () => void) => () => void
}

interface Expected {
  readonly at: Instant
  readonly call: () => void
}

/** As many as there are slots are expected at a time, so all of them are looked through. */
export function createDeadlines(clock: Clock): Deadlines {
  const expected = new Set<Expected>()
  let nextAt: Instant = Number.POSITIVE_INFINITY
  let cancelTimer: () => void = () => {}
  const arm = (at: Instant): void => {
    cancelTimer()
    nextAt = at
    cancelTimer = clock.after(at - clock.now(), ring)
  }
  const ring = (): void => {
    nextAt = Number.POSITIVE_INFINITY
    const now = clock.now()
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
      const item = { at, call }
      expected.add(item)
      // The timer of what was cancelled is left to ring: mostly the next attempt wants it a little later.
      if (at < nextAt) arm(at)
      return () => expected.delete(item)
    },
  }
}
