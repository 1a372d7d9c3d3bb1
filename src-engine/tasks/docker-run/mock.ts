/** A container that ends well at once and prints nothing. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { takenWays } from '../program-end.ts'
import { completed } from '../task.ts'
import type { DockerRunParameters } from './spec.ts'

export const dockerRunMock: TaskMock<DockerRunParameters> = (parameters, context) => {
  sayLeftOut(context, `no container of ${parameters.image} was run.`)
  return completed({ exitCode: 0, stdout: '', stderr: '' }, takenWays(parameters, 'out'))
}
