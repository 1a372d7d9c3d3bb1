/** Says how the run is to end. */

import { isErrorCode, SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import type { StopParameters } from './spec.ts'

export const stopRun: TaskRun<StopParameters> = {
  execute({ status, output, message, code }, context) {
    if (isErrorCode(code)) {
      // The engine acts on its own codes: a denial or a timeout is another end.
      throw new SagasmithError('task_input_invalid', {
        message: `“${code}” is an error code of Sagasmith itself; a stop needs one of its own.`,
        hint: 'Choose another name, or leave the code empty.',
        details: { field: 'code' },
      })
    }
    // A parameter's value is JSON by its making.
    const value = (output === '' || output === undefined ? context.input : output) as JsonValue
    const own = code === '' ? {} : { code }
    return { kind: 'stops', status, output: value, message: message.trim(), ...own }
  },
}
