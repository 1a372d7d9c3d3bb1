/** Takes the ways out of the cases that hold. */

import { SagasmithError } from '../../model/errors.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { isTrue } from '../truth.ts'
import type { SwitchParameters } from './spec.ts'
import { casePort, defaultPort } from './spec.ts'

export const switchRun: TaskRun<SwitchParameters> = {
  execute(parameters, context) {
    const matching = parameters.cases.flatMap((item, index) => (isTrue(item.when) ? [casePort(index)] : []))
    const taken = parameters.match === 'first' ? matching.slice(0, 1) : matching
    if (taken.length > 0) return completed(context.input, taken)
    if (parameters.hasDefault) return completed(context.input, [defaultPort])
    throw new SagasmithError('no_case_matched', {
      message: `None of the ${parameters.cases.length} cases matched, and there is no default.`,
    })
  },
}
