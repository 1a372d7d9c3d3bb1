/** Schemas of the inputs of `triggers.*`. */

import { z } from 'zod'
import { runId, workflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { pageSizeMax } from '../model/limits.ts'

const name = z.string().min(1).max(1_000)
const workflow = name.transform(workflowId)
const named = z.object({ workflowId: workflow, triggerId: name })
const paged = { after: name.nullable(), limit: z.int().min(1).max(pageSizeMax) }

export const triggerSchemas = {
  'triggers.month': z.object({
    timeZone: z.string().min(1).max(200),
    year: z.int().min(1970).max(2199),
    month: z.int().min(1).max(12),
    workers: z.int().min(1).max(10_000).nullable(),
  }),
  'triggers.preview': z.object({
    parameters: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
    from: z.number().nullable(),
    count: z.int().min(1).max(100),
  }),
  'triggers.list': z.object({ workflowId: workflow.nullable() }),
  'triggers.show': named,
  'triggers.firings': z.object({
    workflowId: workflow.nullable(),
    triggerId: name.nullable(),
    ...paged,
  }),
  'triggers.why': z.object({ runId: z.string().min(1).transform(runId) }),
  'triggers.fire': named.extend({ input: z.json().nullable(), by: name.nullable() }),
  'triggers.switch': named.extend({ on: z.boolean().nullable() }),
  'triggers.clear': named,
  'events.list': z.object(paged),
  'events.show': z.object({ eventId: name }),
}
