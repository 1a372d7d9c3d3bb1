/** Hands on what arrives: that it may begin at all was decided when it was claimed. */

import { outputPort } from '../../model/workflow.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { ThrottleParameters } from './spec.ts'

export const throttleRun: TaskRun<ThrottleParameters> = {
  execute: (_parameters, context) => completed(context.input, [outputPort]),
}
