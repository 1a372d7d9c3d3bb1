/** A command that ends well at once and prints nothing. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { takenWays } from '../program-end.ts'
import { completed } from '../task.ts'
import type { SshCommandParameters } from './spec.ts'

export const sshCommandMock: TaskMock<SshCommandParameters> = (parameters, context) => {
  sayLeftOut(context, `nothing was run on ${parameters.host}.`)
  return completed({ exitCode: 0, stdout: '', stderr: '' }, takenWays(parameters, 'out'))
}
