/** How long a run was at work: that it lay ended until somebody had it go on doesn't count. */

import type { RunRecord } from './run.ts'
import type { Instant, Millis } from './time.ts'

export type RunTimes = Pick<RunRecord, 'startedAt' | 'finishedAt' | 'idleMs'>

/** Null for a run that has not begun or goes on still. */
export const runTookMs = ({ startedAt, finishedAt, idleMs = 0 }: RunTimes): Millis | null =>
  startedAt === null || finishedAt === null ? null : Math.max(0, finishedAt - startedAt - idleMs)

/** For how long it has lain ended by now, of all times that it did. */
export const idleUntil = ({ finishedAt, idleMs = 0 }: RunTimes, now: Instant): Millis =>
  idleMs + (finishedAt === null ? 0 : Math.max(0, now - finishedAt))

/** Its times, counted from when it was made where it never began. */
export const sinceMade = (run: RunTimes & Pick<RunRecord, 'createdAt'>): RunTimes => ({
  ...run,
  startedAt: run.startedAt ?? run.createdAt,
})
