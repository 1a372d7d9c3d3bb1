/** Asks a database, or changes it: within a deadline, with data as parameters only. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import { serverPlace } from '../reachable-host.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { SqlDatabase, SqlQueryParameters, SqlStatementParameters } from './spec.ts'
import { workOnSqlite } from './sqlite.ts'
import type { SqlCall, SqlResult, SqlStatement, SqlWork } from './work.ts'

type SqlPorts = Pick<TaskPorts, 'lookup' | 'sqlite'>

/** The query with what it needs from outside. */
export function createSqlQueryRun(ports: SqlPorts): TaskRun<SqlQueryParameters> {
  return {
    async execute({ database, sql, parameters, maxRows, tooMany, timeoutMs }, context) {
      const work: SqlWork = {
        isReadOnly: true,
        isAtomic: true,
        statements: [statementOf(sql, parameters)],
        rowsMax: maxRows,
        cuts: tooMany === 'cut',
      }
      const [result] = await worked(ports, { database, work, timeoutMs }, context)
      const { rows = [], isCut = false } = result ?? {}
      told(
        context,
        `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${isCut ? ', and there are more' : ''}`,
      )
      return completed({ rows, count: rows.length, isCut })
    },
  }
}

/** The statement with what it needs from outside. */
export function createSqlStatementRun(ports: SqlPorts): TaskRun<SqlStatementParameters> {
  return {
    async execute(parameters, context) {
      const { database, mode, maxRows, timeoutMs } = parameters
      const work: SqlWork = {
        isReadOnly: false,
        isAtomic: mode !== 'one',
        statements: statementsOf(parameters),
        rowsMax: maxRows,
        cuts: false,
      }
      const results = await worked(ports, { database, work, timeoutMs }, context)
      const affected = results.reduce((sum, result) => sum + result.affected, 0)
      told(context, `${affected} ${affected === 1 ? 'row was' : 'rows were'} changed`)
      if (mode === 'each') return completed({ affected, runs: results.length })
      if (mode === 'transaction') return completed({ affected, results: results.map(outputOf) })
      const [only] = results
      return completed(only === undefined ? { affected, insertedId: null, rows: [] } : outputOf(only))
    },
  }
}

const outputOf = ({ affected, insertedId, rows }: SqlResult): JsonObject => ({ affected, insertedId, rows })

const told = (context: TaskContext, text: string): void =>
  context.log({ level: 'info', stream: 'task', text: `${text}.` })

// A parameter's value is JSON by its making.
const statementOf = (sql: string, parameters: unknown): SqlStatement => ({
  sql,
  parameters: parameters as readonly JsonValue[] | JsonObject,
})

function statementsOf(parameters: SqlStatementParameters): readonly SqlStatement[] {
  const { mode, sql, items, statements } = parameters
  if (mode === 'one') return [statementOf(sql, parameters.parameters)]
  if (mode === 'each') return items.map((item) => statementOf(sql, item))
  return statements.map((statement) => statementOf(statement.sql, statement.parameters))
}

interface Asked {
  readonly database: SqlDatabase
  readonly work: SqlWork
  readonly timeoutMs: number
}

function worked(
  ports: SqlPorts,
  { database, work, timeoutMs }: Asked,
  context: TaskContext,
): Promise<readonly SqlResult[]> {
  const effect = { isOpen: false }
  return withinDeadline({ timeoutMs, effect }, context, (signal) =>
    workOn(ports, { database, work, timeoutMs }, { context, call: { signal, effect } }),
  )
}

async function workOn(
  ports: SqlPorts,
  { database, work, timeoutMs }: Asked,
  { context, call }: { readonly context: TaskContext; readonly call: SqlCall },
): Promise<readonly SqlResult[]> {
  if (database.kind === 'sqlite') {
    const path = await filePlace(database.file, context, work.isReadOnly ? 'read' : 'write')
    const request = { path, create: database.create, busyMs: timeoutMs, work }
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
