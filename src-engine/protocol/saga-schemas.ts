/** Schemas of the inputs of `saga.*`. */

import { z } from 'zod'
import { invocationId, runId } from '../model/ids.ts'
import { sagaActions } from './saga.ts'

/** Longer than any id that a system gives out. */
const idMax = 4_096
const run = z.string().min(1).max(idMax).transform(runId)

export const sagaSchemas = {
  'saga.show': z.object({ runId: run }),
  'saga.act': z.object({
    runId: run,
    action: z.enum(sagaActions),
    of: z.string().min(1).max(idMax).transform(invocationId).nullable(),
    by: z.string().min(1).max(200).nullable(),
    reason: z.string().max(2_000).nullable(),
  }),
}
