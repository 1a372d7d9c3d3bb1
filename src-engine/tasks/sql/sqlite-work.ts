/**
 * Work on one SQLite file. Only statements about its own data are taken: nothing that opens other files
 * (ATTACH, VACUUM INTO), loads code, or changes how the connection works (PRAGMA).
 */

import Database from 'better-sqlite3'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { missingParameter } from './named-parameters.ts'
import type { SqliteRequest } from './sqlite-message.ts'
import type { RowTake, SqlResult, SqlStatement } from './work.ts'
import { createRowTake, plainParameter, wholeNumber } from './work.ts'

const allowedFirstWords: ReadonlySet<string> = new Set([
  ...['SELECT', 'VALUES', 'WITH', 'EXPLAIN', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE'],
  ...['CREATE', 'DROP', 'ALTER', 'ANALYZE', 'REINDEX'],
])

/** Does it all in one transaction; `committing` is called before that ends. */
export function workOnFile(request: SqliteRequest, committing: () => void): readonly SqlResult[] {
  const { path, create, busyMs, work } = request
  const { isReadOnly } = work
  const database = opened(path, { readonly: isReadOnly, fileMustExist: isReadOnly || !create, busyMs })
  try {
    database.defaultSafeIntegers(true)
    database.pragma('trusted_schema = OFF')
    database.exec(isReadOnly ? 'BEGIN' : 'BEGIN IMMEDIATE')
    const take = createRowTake(work, null)
    const results = work.statements.map((statement) => ran(database, statement, take()))
    if (!isReadOnly) committing()
    database.exec('COMMIT')
    return results
  } catch (thrown) {
    throw sqliteError(thrown, path)
  } finally {
    // A transaction that is still open is taken back by this.
    database.close()
  }
}

type RowReader = (columns: readonly string[], rows: Iterable<readonly JsonValue[]>) => Promise<void>

/** Hands the rows of the one statement to the reader, which takes them when it wants to. */
export async function readRows({ path, busyMs, work }: SqliteRequest, read: RowReader): Promise<void> {
  const database = opened(path, { readonly: true, fileMustExist: true, busyMs })
  try {
    database.defaultSafeIntegers(true)
    database.pragma('trusted_schema = OFF')
    const [{ sql, parameters } = { sql: '', parameters: {} }] = work.statements
    refuseOthers(sql)
    const statement = database.prepare(sql)
    if (!statement.reader) throw notAsking()
    const columns = statement.columns().map(({ name }) => name)
    await read(columns, plainRows(statement.raw().iterate(...boundParameters(sql, parameters))))
  } catch (thrown) {
    throw sqliteError(thrown, path)
  } finally {
    database.close()
  }
}

function* plainRows(rows: Iterable<unknown>): Generator<readonly JsonValue[]> {
  for (const row of rows) yield (row as readonly unknown[]).map(valueOf)
}

function notAsking(): SagasmithError {
  return new SagasmithError('task_input_invalid', {
    message: 'The statement gives no rows.',
    hint: 'Write a query, such as select * from orders.',
    details: { field: 'sql' },
  })
}

function opened(
  path: string,
  options: { readonly readonly: boolean; readonly fileMustExist: boolean; readonly busyMs: number },
): Database.Database {
  const { readonly, fileMustExist, busyMs: timeout } = options
  try {
    return new Database(path, { readonly, fileMustExist, timeout })
  } catch (thrown) {
    if (thrown instanceof Error && /does not exist|unable to open/.test(thrown.message)) {
      throw new SagasmithError('file_not_found', {
        message: `“${path}” could not be opened: there is no such file, or it may not be accessed.`,
        hint: 'Check the path, or let a statement make it (“Make it when it is missing”).',
        details: { path },
        cause: thrown,
      })
    }
    throw sqliteError(thrown, path)
  }
}

function ran(database: Database.Database, { sql, parameters }: SqlStatement, take: RowTake): SqlResult {
  refuseOthers(sql)
  const statement = database.prepare(sql)
  const bound = boundParameters(sql, parameters)
  if (!statement.reader) {
    const { changes, lastInsertRowid } = statement.run(...bound)
    return {
      columns: [],
      rows: [],
      affected: changes,
      insertedId: wholeNumber(BigInt(lastInsertRowid)),
      isCut: false,
    }
  }
  const columns = statement.columns().map(({ name }) => name)
  const before = database.prepare('SELECT total_changes()').pluck()
  const changedBefore = Number(before.get())
  for (const row of statement.raw().iterate(...bound)) {
    if (!take.add(columns, (row as readonly unknown[]).map(valueOf))) break
  }
  const affected = Number(before.get()) - changedBefore
  return { columns, rows: take.rows, affected, insertedId: null, isCut: take.isCut() }
}

/** By the first word, which in SQLite decides what a statement is; anything odd before it is refused too. */
function refuseOthers(sql: string): void {
  const [word = ''] = /^\w*/.exec(sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '')) ?? []
  if (allowedFirstWords.has(word.toUpperCase())) return
  throw new SagasmithError('task_input_invalid', {
    message: word === '' ? 'There is no statement.' : `A step can’t run ${word.toUpperCase()}.`,
    hint: 'Statements about tables and their rows can be run; the transaction is the step’s own.',
    details: { field: 'sql' },
  })
}

function boundParameters(sql: string, parameters: SqlStatement['parameters']): readonly unknown[] {
  if (Array.isArray(parameters)) return (parameters as readonly JsonValue[]).map(bindable)
  const given = parameters as JsonObject
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, bindable(value)]))
  const missing = namesIn(sql).find((name) => !Object.hasOwn(given, name))
  if (missing !== undefined) throw missingParameter(missing, Object.keys(given))
  return namesIn(sql).length === 0 ? [] : [named]
}

const text = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[:@$](\w+)/g

const namesIn = (sql: string): readonly string[] =>
  [...sql.matchAll(text)].flatMap(([, name]) => (name === undefined ? [] : [name]))

function bindable(value: JsonValue): string | number | bigint | null {
  const plain = plainParameter(value)
  if (typeof plain === 'boolean') return plain ? 1 : 0
  return typeof plain === 'number' && Number.isSafeInteger(plain) ? BigInt(plain) : plain
}

/** What JSON has no form for: bytes are Base64, large whole numbers their digits. */
function valueOf(value: unknown): JsonValue {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (typeof value === 'bigint') return wholeNumber(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value as JsonValue
}

function sqliteError(thrown: unknown, path: string): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const state = 'code' in thrown ? String(thrown.code) : thrown.name
  const isBusy = state.startsWith('SQLITE_BUSY') || state.startsWith('SQLITE_LOCKED')
  if (state === 'SQLITE_FULL') return new SagasmithError('store_full', { details: { path }, cause: thrown })
  return new SagasmithError('sql_failed', {
    message: `“${path}”: ${thrown.message}.`,
    ...(isBusy ? { hint: 'Somebody else writes to the file: try again, or give the step more time.' } : {}),
    details: { path, state },
    retryable: isBusy,
    cause: thrown,
  })
}
