/** Says how the run is to end. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import type { StopParameters } from './spec.ts'

export const stopRun: TaskRun<StopParameters> = {
  execute({ status, output, message }, context) {
    // A parameter's value is JSON by its making.
    const value = (output === '' || output === undefined ? context.input : output) as JsonValue
    return { kind: 'stops', status, output: value, message: message.trim() }
  },
}
