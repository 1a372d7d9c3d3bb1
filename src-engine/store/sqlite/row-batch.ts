/**
 * Rows of one table that are inserted several at a time. Half of what an insert costs is the statement: its
 * cursors on the table and on each index, and the way there and back. Rows wait for that only inside their
 * transaction, and nobody may read the table or change one of them before `write`.
 */

import type { Database } from './connection.ts'

export type ColumnValue = string | number | null | Uint8Array

export interface RowBatch {
  /** The row's values in the order of the columns, its key first. */
  readonly add: (row: readonly ColumnValue[]) => void
  /** Whether the row with this key waits. */
  readonly has: (key: number) => boolean
  /** Inserts what waits. */
  readonly write: () => void
  /** Drops what waits: the transaction was undone. */
  readonly forget: () => void
}

/**
 * How many rows a statement inserts, the most first: what is left for one goes to the next. Still more rows at a time
 * save hardly anything.
 */
const statementSizes = [16, 4, 1] as const
const [rowsMax] = statementSizes

/** `into` is the table with the columns; `before` is called before rows are written. */
export function createRowBatch(
  database: Database,
  {
    into,
    columns,
    before,
  }: { readonly into: string; readonly columns: readonly string[]; readonly before?: () => void },
): RowBatch {
  const width = columns.length
  const row = `(${columns.map(() => '?').join(', ')})`
  const prepare = (rows: number) =>
    database.prepare(`insert into ${into} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}`)
  /** By size, each prepared when it is first needed: opening is waited for. */
  const inserts = new Map<number, ReturnType<typeof prepare>>()
  const insertOf = (rows: number) => {
    const known = inserts.get(rows)
    if (known !== undefined) return known
    const made = prepare(rows)
    inserts.set(rows, made)
    return made
  }
  let values: ColumnValue[] = []
  const write = (): void => {
    if (values.length === 0) return
    before?.()
    let from = 0
    for (const size of statementSizes) {
      for (const span = size * width; values.length - from >= span; from += span) {
        insertOf(size).run(...values.slice(from, from + span))
      }
    }
    values = []
  }
  return {
    add(added) {
      for (const value of added) values.push(value)
      if (values.length === rowsMax * width) write()
    },
    has(key) {
      for (let from = 0; from < values.length; from += width) if (values[from] === key) return true
      return false
    },
    write,
    forget() {
      values = []
    },
  }
}
