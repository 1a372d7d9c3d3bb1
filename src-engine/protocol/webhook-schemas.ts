/** Schemas of the inputs of `webhooks.*`. */

import { z } from 'zod'
import { invocationId, workflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { webhookTestMsMax } from '../model/limits.ts'

const name = z.string().min(1).max(1_000)
const named = z.object({ workflowId: name.transform(workflowId), triggerId: name })
const captured = z.object({ captureId: z.string().min(1).max(5_000) })
/** Shorter than anybody needs to have a sender send something. */
const testMsMin = 10_000

export const webhookSchemas = {
  'webhooks.list': z.object({}),
  'webhooks.address': named.extend({ path: z.string().max(200) }),
  'webhooks.callback': z.object({ invocationId: z.string().min(1).max(2_000).transform(invocationId) }),
  'webhooks.openTest': named.extend({
    parameters: z.custom<JsonObject>(isJsonObject, 'Expected an object').nullable(),
    forMs: z.int().min(testMsMin).max(webhookTestMsMax),
  }),
  'webhooks.closeTest': named,
  'webhooks.captures': named,
  'webhooks.capture': captured,
  'webhooks.clearCaptures': named,
  'webhooks.resend': captured.extend({ by: name.nullable() }),
}
