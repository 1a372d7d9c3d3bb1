/** Says which run is to be started; the run becomes durable together with the end of this attempt. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import type { SubWorkflowParameters } from './spec.ts'

export const subWorkflowRun: TaskRun<SubWorkflowParameters> = {
  async execute({ workflow, version, input, mode }, context) {
    // A parameter's value is JSON by its making.
    const value = (input === '' || input === undefined ? context.input : input) as JsonValue
    return {
      kind: 'calls',
      workflow: workflow.trim(),
      version: version.trim(),
      input: value,
      waits: mode === 'wait',
    }
  },
}
