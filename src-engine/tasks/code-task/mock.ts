/** What a task's own mock gave when its file was read; code that reaches nothing outside runs as it is. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { CodeTaskParameters } from './spec.ts'

export const codeTaskMock: TaskMock<CodeTaskParameters> = ({ task, role, hosts, mock }, context) => {
  if (hosts.length === 0) return null
  sayLeftOut(context, `the code of ${task} did not run.`)
  if (role === 'compensate') return completed(null)
  // It came out of JSON.
  return completed((mock as JsonValue | undefined) ?? context.input)
}
