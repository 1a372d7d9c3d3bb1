/** Does nothing: the step itself is what matters. */

import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { NoopParameters } from './spec.ts'

export const noopRun: TaskRun<NoopParameters> = {
  execute: (_parameters, context) => completed(context.input),
}
