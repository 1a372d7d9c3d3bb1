/** The main process's own clock and timers, for supervision and for the dates of the recent list. */

import type { Clock } from '../src-engine/model/ports.ts'

/** Real time; tests pass a clock of their own. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (span, call) => {
    const timer = setTimeout(call, span)
    return () => clearTimeout(timer)
  },
}
