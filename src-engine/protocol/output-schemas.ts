/** The schemas of what is asked about results that are held back, and about the policy that says which. */

import { z } from 'zod'
import { invocationId, runId, workflowId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { pageSizeMax } from '../model/limits.ts'

const textMax = 4_096

const name = z.string().min(1).max(textMax)
const names = z.array(name).max(pageSizeMax).optional()
const reason = z.string().max(textMax).nullable()
const step = name.transform(invocationId)
const document = z.custom<JsonObject>(isJsonObject, 'Expected an object').nullable()

/** Inputs of `quarantine.*` and `outputPolicy.*`. */
export const outputSchemas = {
  'quarantine.list': z.object({
    workflowId: name.transform(workflowId).nullable(),
    runId: name.transform(runId).nullable(),
    after: name.nullable(),
    limit: z.int().min(1).max(pageSizeMax),
  }),
  'quarantine.show': z.object({ invocationId: step }),
  'quarantine.content': z.object({ invocationId: step, by: name.nullable() }),
  'quarantine.release': z.object({ invocationId: step, by: name.nullable(), reason, goOn: z.boolean() }),
  'quarantine.discard': z.object({ invocationId: step, by: name.nullable(), reason }),
  'outputPolicy.get': z.object({}).transform((): Record<string, never> => ({})),
  'outputPolicy.set': z.object({ document, ifHash: name.optional(), by: name.nullable() }),
  'outputPolicy.test': z.object({
    document,
    sample: z.object({
      value: z.custom<JsonValue>((value) => value !== undefined, 'Required'),
      tenant: name.optional(),
      workflow: name.optional(),
      node: name.optional(),
      kind: name.optional(),
      capabilities: names,
      tags: names,
    }),
  }),
} as const
