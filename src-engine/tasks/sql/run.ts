/** Asks a database, or changes it: within a deadline, with data as parameters only. */

import type { JsonObject } from '../../model/json.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { SqlPorts } from './on-database.ts'
import { onDatabase, statementOf } from './on-database.ts'
import type { SqlQueryParameters, SqlStatementParameters } from './spec.ts'
import type { SqlResult, SqlStatement, SqlWork } from './work.ts'

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
      const [result] = await onDatabase(ports, { database, work, timeoutMs, sink: null }, context)
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
      const results = await onDatabase(ports, { database, work, timeoutMs, sink: null }, context)
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

function statementsOf(parameters: SqlStatementParameters): readonly SqlStatement[] {
  const { mode, sql, items, statements } = parameters
  if (mode === 'one') return [statementOf(sql, parameters.parameters)]
  if (mode === 'each') return items.map((item) => statementOf(sql, item))
  return statements.map((statement) => statementOf(statement.sql, statement.parameters))
}
