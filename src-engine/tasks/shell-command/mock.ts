/** A command that ends well at once and prints nothing. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { takenWays } from '../program-end.ts'
import { completed } from '../task.ts'
import type { ShellCommandParameters } from './spec.ts'

export const shellCommandMock: TaskMock<ShellCommandParameters> = (parameters, context) => {
  sayLeftOut(context, 'the command was not run.')
  return completed({ exitCode: 0, stdout: '', stderr: '' }, takenWays(parameters, 'out'))
}
