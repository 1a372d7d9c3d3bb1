/** A clock that only moves when a test says so. */

import type { Clock } from '../../src-engine/model/ports.ts'

export interface ManualClock extends Clock {
  /** Moves time and runs what became due, in order. */
  readonly advance: (ms: number) => void
  /** The spans that are waited for now. */
  readonly waiting: () => readonly number[]
}

interface Timer {
  readonly at: number
  readonly call: () => void
}

/** Starts at one second after the epoch. */
export function createManualClock(): ManualClock {
  let now = 1000
  const timers = new Set<Timer>()
  return {
    now: () => now,
    monotonic: () => now,
    after: (span, call) => {
      const timer = { at: now + span, call }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: (ms) => {
      now += ms
      const due = [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
      for (const timer of due) {
        timers.delete(timer)
        timer.call()
      }
    },
    waiting: () => [...timers].map(({ at }) => at - now),
  }
}
