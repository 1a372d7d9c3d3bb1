/** Work on a database, wherever it is: within a deadline, at a checked place. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import { serverPlace } from '../reachable-host.ts'
import type { TaskContext } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { SqlDatabase } from './spec.ts'
import { workOnSqlite } from './sqlite.ts'
import type { RowSink, SqlCall, SqlResult, SqlStatement, SqlWork } from './work.ts'

/** What SQL steps need from outside. */
export type SqlPorts = Pick<TaskPorts, 'lookup' | 'sqlite'>

/** A statement with its values, which are JSON by their making. */
export const statementOf = (sql: string, parameters: unknown): SqlStatement => ({
  sql,
  parameters: parameters as readonly JsonValue[] | JsonObject,
})

interface Asked {
  readonly database: SqlDatabase
  readonly work: SqlWork
  readonly timeoutMs: number
  /** Where rows go instead of into the results; null for there. */
  readonly sink: RowSink | null
}

/** Does the work within its deadline, at the database’s own place. */
export function onDatabase(
  ports: SqlPorts,
  asked: Asked,
  context: TaskContext,
): Promise<readonly SqlResult[]> {
  const effect = { isOpen: false }
  return withinDeadline({ timeoutMs: asked.timeoutMs, effect }, context, (signal) =>
    workOn(ports, asked, { context, call: { signal, effect, sink: asked.sink } }),
  )
}

async function workOn(
  ports: SqlPorts,
  { database, work, timeoutMs }: Asked,
  { context, call }: { readonly context: TaskContext; readonly call: SqlCall },
): Promise<readonly SqlResult[]> {
  if (database.kind === 'sqlite') {
    const path = await filePlace(database.file, context, work.isReadOnly ? 'read' : 'write')
    const request = { path, create: database.create, busyMs: timeoutMs, work, inPieces: call.sink !== null }
    return workOnSqlite(ports.sqlite, request, { ...call, clock: context.clock })
  }
  const place = await serverPlace(database, context, ports.lookup)
  // Loaded with the first query: most processes never ask a database.
  if (database.kind === 'postgres') {
    const { workOnPostgres } = await import('./postgres.ts')
    return workOnPostgres({ server: database, place }, work, call)
  }
  const { workOnMysql } = await import('./mysql.ts')
  return workOnMysql({ server: database, place }, work, call)
}
