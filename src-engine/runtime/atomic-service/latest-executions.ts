/** The audit rows of the chores for people: newest first, of one runner or all, those that took long or all. */

import type { RunnerId } from '../../model/ids.ts'
import type { Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { ExecutionRecord } from './execution-record.ts'
import { listExecutions } from './start-record.ts'

export interface ExecutionFilter {
  /** Null for every runner. */
  readonly runnerId: RunnerId | null
  /** Only ended ones that took at least as long; 0 for all, also for those under way. */
  readonly minDurationMs: Millis
  /** How many at most. */
  readonly limit: number
}

/** What was done, refused or given up in the slots of the store, the latest first. */
export async function latestExecutions(
  store: Store,
  partition: number,
  { runnerId, minDurationMs, limit }: ExecutionFilter,
): Promise<readonly ExecutionRecord[]> {
  const rows = await listExecutions({ store, partition })
  return rows
    .map(({ record }) => record)
    .filter((record) => runnerId === null || record.runnerId === runnerId)
    .filter((record) => minDurationMs === 0 || durationOf(record) >= minDurationMs)
    .toReversed()
    .slice(0, limit)
}

function durationOf({ startedAt, endedAt }: ExecutionRecord): Millis {
  return endedAt === null ? 0 : endedAt - startedAt
}
