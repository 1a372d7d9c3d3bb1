/** The rows of the page of runs: statuses change in place, nothing moves under the hand. Pure. */

import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { OutputOf, RunSummary } from '../../../../src-engine/protocol/api.ts'

type Page = OutputOf<'runs.list'>

export interface Shown {
  /** Newest first. */
  readonly rows: readonly RunSummary[]
  /** Where older ones begin; null at the end. */
  readonly next: RunId | null
  /** How many fit by now and are not among the rows, though as new as these. */
  readonly fresh: number
  /** Rows that fit the filter no more. */
  readonly left: ReadonlySet<RunId>
}

/** The same rows with what is known of them now: `page` begins with the newest and may reach less far. */
export function refreshed(before: Shown, page: Page): Shown {
  const known = new Set(before.rows.map(({ run }) => run.id))
  const now = new Map(page.runs.map((summary) => [summary.run.id, summary]))
  const rows = before.rows.map((row) => now.get(row.run.id) ?? row)
  const oldest =
    page.next === null
      ? Number.NEGATIVE_INFINITY
      : (page.runs.at(-1)?.run.createdAt ?? Number.POSITIVE_INFINITY)
  const left = rows.filter(({ run }) => run.createdAt > oldest && !now.has(run.id)).map(({ run }) => run.id)
  const last = before.next === null ? Number.NEGATIVE_INFINITY : (before.rows.at(-1)?.run.createdAt ?? 0)
  const fresh = page.runs.filter(({ run }) => !known.has(run.id) && run.createdAt >= last).length
  return { rows, next: before.next, fresh, left: new Set(left) }
}

/** With the next page below. */
export function withOlder(before: Shown, page: Page): Shown {
  const known = new Set(before.rows.map(({ run }) => run.id))
  const older = page.runs.filter(({ run }) => !known.has(run.id))
  return { ...before, rows: [...before.rows, ...older], next: page.next }
}
