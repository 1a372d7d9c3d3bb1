/** How long to wait between tries while another process writes to the data file. */

import type { Clock, Random } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'

/**
 * What one try may block this process for: SQLite's own waiting, in short sleeps. Mostly another's
 * transaction is over by then; if not, this process has other things to do meanwhile.
 */
export const blockedMsMax: Millis = 20
const firstPauseMs: Millis = 5
const pauseMsMax: Millis = 50

export interface BusyPauses {
  /** What each try blocks for before it fails. */
  readonly blockedMs: Millis
  /** Whoever has waited longer than this in all is refused. */
  readonly timeoutMs: Millis
  /** The pause after so many pauses in a row: from half as long to half as long again, by chance. */
  readonly next: (pausesBefore: number) => Millis
  readonly after: Clock['after']
}

/** Without chance, pauses are the middle ones. */
export function createBusyPauses(options: {
  readonly blockedMs: Millis
  readonly timeoutMs: Millis
  readonly clock: Pick<Clock, 'after'>
  readonly random: Random | null
}): BusyPauses {
  const { blockedMs, timeoutMs, clock, random } = options
  return {
    blockedMs,
    timeoutMs,
    next: (before) => {
      const middle = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(before, 10))
      return middle * (0.5 + (random?.next() ?? 0.5))
    },
    after: (span, call) => clock.after(span, call),
  }
}
