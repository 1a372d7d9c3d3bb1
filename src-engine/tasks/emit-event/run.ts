/** Says what is to be told; it becomes durable together with the end of this attempt. */

import type { JsonValue } from '../../model/json.ts'
import { correlationText } from '../correlation-text.ts'
import type { TaskRun } from '../task.ts'
import type { EmitEventParameters } from './spec.ts'

export const emitEventRun: TaskRun<EmitEventParameters> = {
  async execute({ name, payload, correlation, run, messageId }, context) {
    // A parameter's value is JSON by its making.
    const value = (payload === '' || payload === undefined ? context.input : payload) as JsonValue
    return {
      kind: 'emits',
      name,
      payload: value,
      correlation: correlationText(correlation),
      runId: run.trim() === '' ? null : run.trim(),
      // The same in every attempt and after every recovery.
      messageId: messageId.trim() === '' ? `of:${context.invocationId}` : messageId.trim(),
      output: context.input,
    }
  },
}
