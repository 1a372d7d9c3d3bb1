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
  /** The places in a row of values that mostly are the same in all rows. */
  readonly repeated: readonly number[]
  /** For rows that have those in common: given once, before what is each row's own. */
  readonly alikeSql: (rows: number) => string
}

/** How rows are inserted. */
export interface Inserting {
  /** Columns in which rows that are written together mostly say the same: giving a value costs as much as keeping it. */
  readonly repeated: readonly string[]
  /** What becomes of a row whose key is there. */
  readonly otherwise?: string
}

export function insertRows(
  table: string,
  columns: readonly string[],
  { repeated, otherwise = '' }: Inserting,
): BatchStatement {
  const into = `insert into ${table} (${columns.join(', ')})`
  const many = (width: number, rows: number): string =>
    Array(rows)
      .fill(`(${Array(width).fill('?').join(', ')})`)
      .join(', ')
  const own = columns.filter((name) => !repeated.includes(name))
  // A subquery that asks for nothing is answered once per statement.
  const found = columns.map((name) =>
    repeated.includes(name) ? '(select ?)' : `column${own.indexOf(name) + 1}`,
  )
  return {
    width: columns.length,
    sql: (rows) => `${into} values ${many(columns.length, rows)}${otherwise}`,
    repeated: repeated.map((name) => columns.indexOf(name)).sort((a, b) => a - b),
    // Without a condition SQLite would take `on` for one of a join.
    alikeSql: (rows) =>
      `${into} select ${found.join(', ')} from (values ${many(own.length, rows)}) where true${otherwise}`,
  }
}

/** Rows of nothing but their key. */
export const deleteRows = (table: string, key = 'key'): BatchStatement => {
  const sql = (rows: number): string =>
    `delete from ${table} where ${key} in (${Array(rows).fill('?').join(', ')})`
  return { width: 1, sql, repeated: [], alikeSql: sql }
}

/**
 * How many rows a statement has, the most first: what is left for one goes to the next. Still more rows at a time
 * save hardly anything.
 */
const statementSizes = [48, 16, 4, 1] as const
const [rowsMax] = statementSizes
/** For fewer rows it isn't worth it to say once what they have in common. */
const alikeRowsMin = 16

/** `before` is called before rows are written. */
export function createRowBatch(
  database: Database,
  { width, sql, repeated, alikeSql }: BatchStatement,
  before?: () => void,
): RowBatch {
  const statementOf = prepareBySize(database, sql)
  const alikeOf = prepareBySize(database, alikeSql)
  const all = Array.from({ length: width }, (_, place) => place)
  const own = all.filter((place) => !repeated.includes(place))
  let rows: Row[] = []
  /** Whether all that wait say the same where rows mostly do. */
  let areAlike = true
  const write = (): void => {
    if (rows.length === 0) return
    before?.()
    let from = 0
    for (const size of statementSizes) {
      for (; rows.length - from >= size; from += size) {
        const part = rows.slice(from, from + size)
        if (areAlike && size >= alikeRowsMin) alikeOf(size).run(...valuesOf(part, repeated, own))
        else statementOf(size).run(...valuesOf(part, [], all))
      }
    }
    rows = []
    areAlike = true
  }
  return {
    add(row) {
      const [first] = rows
      if (areAlike && first !== undefined)
        for (const place of repeated) if (row[place] !== first[place]) areAlike = false
      rows.push(row)
      if (rows.length === rowsMax) write()
    },
    has(key) {
      for (const row of rows) if (row[0] === key) return true
      return false
    },
    write,
    forget() {
      rows = []
      areAlike = true
    },
  }
}

type Row = readonly ColumnValue[]

/** What the rows have in common, and then what is each one's own. */
function valuesOf(rows: readonly Row[], common: readonly number[], own: readonly number[]): ColumnValue[] {
  const values: ColumnValue[] = []
  const [first] = rows
  if (first !== undefined) for (const place of common) values.push(first[place] as ColumnValue)
  for (const row of rows) for (const place of own) values.push(row[place] as ColumnValue)
  return values
}

/** By size, each prepared when it is first needed: opening is waited for. */
function prepareBySize(database: Database, sql: BatchStatement['sql']) {
  const statements = new Map<number, ReturnType<Database['prepare']>>()
  return (rows: number) => {
    const known = statements.get(rows)
    if (known !== undefined) return known
    const made = database.prepare(sql(rows))
    statements.set(rows, made)
    return made
  }
}
