/** The rows that a transaction adds, of runs, work and events: written together, in an order that keys allow. */

import type { Database } from './connection.ts'
import type { ColumnValue, RowBatch } from './row-batch.ts'
import { createRowBatch } from './row-batch.ts'

/** What nearly every run has; the rest is null. */
export interface PlainRun {
  readonly id: string
  readonly workflow: number
  readonly status: number
  readonly phase: number
  readonly requestId: string | null
  readonly body: string
}

export interface NewRows {
  /** Adds a run's row; its key. */
  readonly run: (row: PlainRun) => number
  /** The key of a run whose row the caller inserts at once. */
  readonly runKey: () => number
  /** For work that nobody owns and that has no route, avoids nobody and waits for no permit. */
  readonly work: RowBatch
  readonly event: RowBatch
  /** Writes the row of the run if it waits: it is about to be changed, or named by another one. */
  readonly settleRun: (key: number) => void
  /** The same for a row of work. */
  readonly settleWork: (key: number) => void
  /** Writes all that waits. Before anything is read by a query, and last in every transaction. */
  readonly write: () => void
  /** Another process wrote, or the transaction was undone. */
  readonly forget: () => void
}

export function createNewRows(database: Database): NewRows {
  const runs = createRowBatch(database, {
    into: 'run',
    columns: ['key', 'id', 'workflow', 'status', 'phase', 'request_id', 'origin_id', 'body'],
  })
  const work = createRowBatch(database, {
    into: 'work',
    columns: ['key', 'run_key', 'id', 'queue', 'rank', 'available_at', 'pool', 'task_kind', 'registered_at'],
    // A row of work names its run's.
    before: runs.write,
  })
  const event = createRowBatch(database, {
    into: 'event_row',
    columns: ['position', 'count', 'run_key', 'run_version', 'hash', 'body'],
  })
  const newest = database.prepare<[], number>('select max(key) from run').pluck()
  /** Of the newest run; null when it isn't known. */
  let lastKey: number | null = null
  const runKey = (): number => {
    lastKey = (lastKey ?? newest.get() ?? 0) + 1
    return lastKey
  }
  return {
    run({ id, workflow, status, phase, requestId, body }) {
      const key = runKey()
      const row: readonly ColumnValue[] = [key, id, workflow, status, phase, requestId, null, body]
      runs.add(row)
      return key
    },
    runKey,
    work,
    event,
    settleRun(key) {
      if (runs.has(key)) runs.write()
    },
    settleWork(key) {
      if (work.has(key)) work.write()
    },
    write() {
      runs.write()
      work.write()
      event.write()
    },
    forget() {
      runs.forget()
      work.forget()
      event.forget()
      lastKey = null
    },
  }
}
