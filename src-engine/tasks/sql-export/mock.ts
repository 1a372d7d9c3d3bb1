/** Tells the path as if the file were written: no rows. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import { workflowPath } from '../workflow-path.ts'
import type { SqlExportParameters } from './spec.ts'

export const sqlExportMock: TaskMock<SqlExportParameters> = ({ path }, context) => {
  sayLeftOut(context, 'no database was asked, and no file was written.')
  const named = workflowPath(path, context.baseDirectory)
  return completed({ path: named, count: 0, bytes: 0, columns: [], isCut: false })
}
