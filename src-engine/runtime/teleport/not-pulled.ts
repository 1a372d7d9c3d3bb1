/** The refusal of whoever means a run that isn't among the pulled ones. */

import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'

export const notPulled = (runId: RunId): SagasmithError =>
  new SagasmithError('teleport_not_pulled', {
    message: `The run ${runId} was not pulled.`,
    details: { runId },
  })
