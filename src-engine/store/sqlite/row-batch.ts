/**
 * Rows of one table that are inserted or removed several at a time. Half of what that costs is the statement: its
 * cursors on the table and on each index, and the way there and back. Rows wait for it only inside their
 * transaction, and nobody may read the table or change one of them before `write`.
 */

import type { Database } from './connection.ts'

export type ColumnValue = string | number | null | Uint8Array

export interface RowBatch {
  /** The row's values in the order of the columns, its key first. */
  readonly add: (row: readonly ColumnValue[]) => void
  /** Whether the row with this key waits. */
  readonly has: (key: number) => boolean
  /** Does to the table what waits. */
  readonly write: () => void
  /** Drops what waits: the transaction was undone. */
  readonly forget: () => void
}

/** What is done with so many rows at a time. */
export interface BatchStatement {
  /** Values of a row. */
  readonly width: number
  readonly sql: (rows: number) => string
}

/** `otherwise` says what becomes of a row whose key is there. */
export function insertRows(table: string, columns: readonly string[], otherwise = ''): BatchStatement {
  const row = `(${columns.map(() => '?').join(', ')})`
  return {
    width: columns.length,
    sql: (rows) =>
      `insert into ${table} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}${otherwise}`,
  }
}

/** Rows of nothing but their key. */
export const deleteRows = (table: string, key = 'key'): BatchStatement => {
  return {
    width: 1,
    sql: (rows) => `delete from ${table} where ${key} in (${Array(rows).fill('?').join(', ')})`,
  }
}

/**
 * How many rows a statement has, the most first: what is left for one goes to the next. Still more rows at a time
 * save hardly anything.
 */
const statementSizes = [16, 4, 1] as const
const [rowsMax] = statementSizes

/** `before` is called before rows are written. */
export function createRowBatch(
  database: Database,
  { width, sql }: BatchStatement,
  before?: () => void,
): RowBatch {
  /** By size, each prepared when it is first needed: opening is waited for. */
  const statements = new Map<number, ReturnType<Database['prepare']>>()
  const statementOf = (rows: number) => {
    const known = statements.get(rows)
    if (known !== undefined) return known
    const made = database.prepare(sql(rows))
    statements.set(rows, made)
    return made
  }
  let values: ColumnValue[] = []
  const write = (): void => {
    if (values.length === 0) return
    before?.()
    let from = 0
    for (const size of statementSizes) {
      for (const span = size * width; values.length - from >= span; from += span) {
        statementOf(size).run(...values.slice(from, from + span))
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
