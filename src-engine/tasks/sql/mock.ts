/** Answers without a database: no rows, nothing changed. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { SqlQueryParameters, SqlStatementParameters } from './spec.ts'

export const sqlQueryMock: TaskMock<SqlQueryParameters> = (_parameters, context) => {
  sayLeftOut(context, 'no database was asked.')
  return completed({ rows: [], count: 0, isCut: false })
}

export const sqlStatementMock: TaskMock<SqlStatementParameters> = (parameters, context) => {
  sayLeftOut(context, 'no database was changed.')
  if (parameters.mode === 'each') return completed({ affected: 0, runs: parameters.items.length })
  const none = { affected: 0, insertedId: null, rows: [] }
  if (parameters.mode === 'one') return completed(none)
  return completed({ affected: 0, results: parameters.statements.map(() => none) })
}
