/** What may be sent to `policy.*`; what a policy may say is checked where it is read, with better words. */

import { z } from 'zod'
import { nodeId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

const nameMax = 512
const noteMax = 2_000
/** Runs that a replay may look at: each is loaded whole. */
const replayedMax = 1_000

const name = z.string().min(1).max(nameMax)
const names = z.array(name).max(1_000)
const by = name.nullable()
const note = z.string().max(noteMax).nullable()

const request = z
  .strictObject({
    at: z.enum(['start', 'step']),
    tenant: name,
    workflowId: z.string().max(nameMax),
    runId: z.string().max(nameMax),
    nodeId: name.nullable(),
    kind: name.nullable(),
    topic: name.nullable(),
    pool: name.nullable(),
    role: z.enum(['forward', 'compensation']),
    tags: names,
    riskTags: names,
    requires: names,
    labels: z.record(name, z.string()),
    secrets: names,
    payloadBytes: z.int().min(0).nullable(),
  })
  .partial()

/** The schemas of `policy.*` by method. */
export const policySchemas = {
  'policy.get': z.strictObject({}),
  'policy.set': z.object({ policy: z.json(), by, note, expected: name.nullable().optional() }),
  'policy.ofStep': z.object({
    document: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
    nodeId: name.transform(nodeId),
  }),
  'policy.test': z.object({ policy: z.json(), request }),
  'policy.history': z.strictObject({}),
  'policy.rollback': z.object({ hash: name, by, note }),
  'policy.replay': z.object({
    policy: z.json(),
    workflowId: name.nullable(),
    limit: z.int().min(1).max(replayedMax),
  }),
}
