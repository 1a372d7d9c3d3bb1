/**
 * The rows that a transaction adds, of runs, work and events, and those of work that it removes: written together, in
 * an order that keys allow.
 */

import type { Database } from './connection.ts'
import type { ColumnValue, RowBatch } from './row-batch.ts'
import { createRowBatch, deleteRows, insertRows } from './row-batch.ts'

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
  /** For the same that somebody owns: a new row, or one that is there, of a step of its run that was owned. */
  readonly owned: RowBatch
  /** Keys of work whose rows are to go, and that wait for nothing else. */
  readonly gone: RowBatch
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

const workColumns = [
  'key',
  'run_key',
  'id',
  'queue',
  'rank',
  'available_at',
  'pool',
  'task_kind',
  'registered_at',
] as const

const repeatedOfWork = ['queue', 'rank', 'pool', 'task_kind']

/** What a row of work says of its owner, and of the step. */
const ownersColumns = ['id', 'owner', 'lease_expires_at', 'deadline_at', 'registered_at'] as const
const ownedColumns = [
  'key',
  'run_key',
  'queue',
  'rank',
  'available_at',
  'pool',
  'task_kind',
  ...ownersColumns,
] as const
/** Between two owned invocations of a run no index changes, and what only claims look at may be stale. */
const inPlace = ` on conflict (key) do update set ${ownersColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`

export function createNewRows(database: Database): NewRows {
  const runs = createRowBatch(
    database,
    insertRows('run', ['key', 'id', 'workflow', 'status', 'phase', 'request_id', 'origin_id', 'body'], {
      repeated: ['workflow', 'status', 'phase', 'origin_id'],
    }),
  )
  // A row of work names its run's.
  const work = createRowBatch(
    database,
    insertRows('work', workColumns, { repeated: repeatedOfWork }),
    runs.write,
  )
  const owned = createRowBatch(
    database,
    insertRows('work', ownedColumns, { repeated: [...repeatedOfWork, 'owner'], otherwise: inPlace }),
    runs.write,
  )
  const gone = createRowBatch(database, deleteRows('work'))
  const event = createRowBatch(
    database,
    insertRows('event_row', ['position', 'count', 'run_key', 'run_version', 'hash', 'body'], {
      repeated: ['count', 'run_version'],
    }),
  )
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
    owned,
    gone,
    event,
    settleRun(key) {
      if (runs.has(key)) runs.write()
    },
    settleWork(key) {
      if (work.has(key)) work.write()
      if (owned.has(key)) owned.write()
    },
    write() {
      runs.write()
      work.write()
      owned.write()
      gone.write()
      event.write()
    },
    forget() {
      runs.forget()
      work.forget()
      owned.forget()
      gone.forget()
      event.forget()
      lastKey = null
    },
  }
}
