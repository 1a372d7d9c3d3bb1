/** No delay: a trial should not last as long as the real thing. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { DelayParameters } from './spec.ts'

export const delayMock: TaskMock<DelayParameters> = (_parameters, context) => {
  sayLeftOut(context, 'it did not wait.')
  return completed(context.input)
}
