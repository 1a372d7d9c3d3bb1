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

const noCall = (): void => {}

/**
 * A class, not an object of closures: there is one for every attempt. What is expected is a ring around a
 * first one that expects nothing. Whoever leaves it lets go of everything: sets keep what was taken out of
 * them in reach of the collector for long.
 */
class Expected implements ExpectedDeadline {
  /** On the steady clock. */
  readonly at: Millis
  call: () => void
  next: Expected = this
  #previous: Expected = this
  readonly #steady: () => Millis

  constructor(at: Millis, call: () => void, steady: () => Millis) {
    this.at = at
    this.call = call
    this.#steady = steady
  }

  /** Behind all others of the ring that begins here. */
  add(item: Expected): void {
    item.next = this
    item.#previous = this.#previous
    this.#previous.next = item
    this.#previous = item
  }

  cancel(): void {
    this.#previous.next = this.next
    this.next.#previous = this.#previous
    this.next = this
    this.#previous = this
    this.call = noCall
  }

  isPast(): boolean {
    return this.#steady() >= this.at
  }
}

/** As many as there are slots are expected at a time, so all of them are looked through. */
export function createDeadlines(clock: Clock, steady: () => Millis): Deadlines {
  const ring = new Expected(Number.POSITIVE_INFINITY, noCall, steady)
  let nextAt: Millis = Number.POSITIVE_INFINITY
  let cancelTimer: () => void = () => {}
  const arm = (at: Millis): void => {
    cancelTimer()
    nextAt = at
    cancelTimer = clock.after(at - steady(), look)
  }
  const look = (): void => {
    nextAt = Number.POSITIVE_INFINITY
    const now = steady()
    let earliest = Number.POSITIVE_INFINITY
    const due: Expected[] = []
    for (let item = ring.next; item !== ring; item = item.next) {
      if (item.at > now) earliest = Math.min(earliest, item.at)
      else due.push(item)
    }
    for (const item of due) {
      const { call } = item
      item.cancel()
      call()
    }
    // A timer may ring early when its span is longer than the system's timers can be.
    if (earliest < nextAt) arm(earliest)
  }
  return {
    expect(at, call) {
      const item = new Expected(steady() + (at - clock.now()), call, steady)
      ring.add(item)
      // The timer of what was cancelled is left to ring: mostly the next attempt wants it a little later.
      if (item.at < nextAt) arm(item.at)
      return item
    },
    recheck() {
      if (ring.next === ring) return
      cancelTimer()
      look()
    },
  }
}
