/** What somebody hears who names a trigger that isn't published. */

import { SagasmithError } from '../../model/errors.ts'
import type { TriggerName } from '../../model/trigger.ts'

/** The error `trigger_not_found`. */
export const triggerNotFound = ({ workflowId, triggerId }: TriggerName): SagasmithError =>
  new SagasmithError('trigger_not_found', {
    message: `The workflow ${workflowId} has no published trigger “${triggerId}”.`,
    details: { workflowId, triggerId },
  })
