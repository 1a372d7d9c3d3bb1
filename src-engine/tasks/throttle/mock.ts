/** Nothing is counted and nobody waits: a trial takes no place of the real thing. */

import { outputPort } from '../../model/workflow.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { ThrottleParameters } from './spec.ts'

export const throttleMock: TaskMock<ThrottleParameters> = (_parameters, context) => {
  sayLeftOut(context, 'it was not counted, and nobody was held back.')
  return completed(context.input, [outputPort])
}
