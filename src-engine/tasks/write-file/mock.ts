/** Tells the path and the size as if the file were written. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import { workflowPath } from '../workflow-path.ts'
import { fileBytes } from './content.ts'
import type { WriteFileParameters } from './spec.ts'

export const writeFileMock: TaskMock<WriteFileParameters> = (parameters, context) => {
  const path = workflowPath(parameters.path, context.baseDirectory)
  sayLeftOut(context, `${path} was not written.`)
  return completed({ path, bytes: fileBytes(parameters).length, undo: [] })
}
