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

/** Twice as many save another tenth, but leave more that is written row by row at the end. */
const rowsPerStatement = 8

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
  const insert = (rows: number) =>
    database.prepare(`insert into ${into} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}`)
  const one = insert(1)
  /** Prepared when it is first needed: opening is waited for. */
  let many: ReturnType<typeof insert> | null = null
  let values: ColumnValue[] = []
  const write = (): void => {
    if (values.length === 0) return
    before?.()
    if (values.length === rowsPerStatement * width) {
      many ??= insert(rowsPerStatement)
      many.run(...values)
    } else if (values.length === width) one.run(...values)
    else for (let from = 0; from < values.length; from += width) one.run(...values.slice(from, from + width))
    values = []
  }
  return {
    add(added) {
      for (const value of added) values.push(value)
      if (values.length === rowsPerStatement * width) write()
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
