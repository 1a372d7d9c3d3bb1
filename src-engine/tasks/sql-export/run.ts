/** Writes the rows of a query into a file while they come, so that there may be more of them than memory. */

import { SagasmithError } from '../../model/errors.ts'
import { filePlace } from '../file-place.ts'
import { exists } from '../files/kept.ts'
import type { SqlPorts } from '../sql/on-database.ts'
import { onDatabase, statementOf } from '../sql/on-database.ts'
import type { SqlWork } from '../sql/work.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import { openRowFile } from './row-file.ts'
import type { SqlExportParameters } from './spec.ts'

/** The export with what it needs from outside. */
export function createSqlExportRun(ports: SqlPorts): TaskRun<SqlExportParameters> {
  return {
    async execute(parameters, context) {
      const { database, sql, maxRows, tooMany, timeoutMs } = parameters
      const path = await placeOf(parameters, context)
      const named = workflowPath(parameters.path, context.baseDirectory)
      const work: SqlWork = {
        isReadOnly: true,
        isAtomic: true,
        statements: [statementOf(sql, parameters.parameters)],
        rowsMax: maxRows,
        cuts: tooMany === 'cut',
      }
      const { idempotencyKey } = context
      try {
        const file = await openRowFile({ path, idempotencyKey }, parameters, parameters)
        try {
          const [result] = await onDatabase(ports, { database, work, timeoutMs, sink: file }, context)
          const columns = result?.columns ?? []
          const isCut = file.isCut()
          await file.finish(columns)
          const count = file.count()
          const text = `Wrote ${count} ${count === 1 ? 'row' : 'rows'} to ${named}`
          context.log({ level: 'info', stream: 'task', text: isCut ? `${text}; there are more` : text })
          return completed({ path: named, count, bytes: file.bytes(), columns: [...columns], isCut })
        } finally {
          await file.close()
        }
      } catch (thrown) {
        throw fileError(thrown, named)
      }
    },
  }
}

/** Where it goes; never over the database that is asked. */
async function placeOf(
  { path, existing, database }: SqlExportParameters,
  context: TaskContext,
): Promise<string> {
  const place = await filePlace(path, context, 'write')
  if (database.kind === 'sqlite' && (await filePlace(database.file, context, 'read')) === place) {
    throw new SagasmithError('task_input_invalid', {
      message: `“${path}” is the database itself.`,
      hint: 'Write the rows to another file.',
      details: { field: 'path' },
    })
  }
  if (existing === 'fail' && (await exists(place))) {
    throw new SagasmithError('file_exists', { message: `“${path}” is there already.`, details: { path } })
  }
  return place
}
