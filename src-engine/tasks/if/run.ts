/** Takes the way out that the condition's value names. */

import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { isTrue } from '../truth.ts'
import type { IfParameters } from './spec.ts'

export const ifRun: TaskRun<IfParameters> = {
  execute: (parameters, context) =>
    completed(context.input, [isTrue(parameters.condition) ? 'true' : 'false']),
}
