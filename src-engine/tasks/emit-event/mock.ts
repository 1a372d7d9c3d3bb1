/** Where the run is, nobody outside hears of an event; a cluster would. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { EmitEventParameters } from './spec.ts'

export const emitEventMock: TaskMock<EmitEventParameters> = ({ name, cluster }, context) => {
  if (cluster.trim() === '') return null
  sayLeftOut(context, `“${name}” was not told to ${cluster.trim()}.`)
  return completed(context.input)
}
