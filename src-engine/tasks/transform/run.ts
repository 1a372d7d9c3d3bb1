/** Hands on the value that the expression had. The runtime evaluated it before. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TransformParameters } from './spec.ts'

export const transformRun: TaskRun<TransformParameters> = {
  // Resolved parameters are JSON; the schema only doesn't say which.
  execute: (parameters) => completed((parameters.expression ?? null) as JsonValue),
}
