/** Schemas of the inputs of `approvals.*`. */

import { z } from 'zod'
import { approvalAnswers } from '../model/approval.ts'
import { invocationId, runId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { pageSizeMax } from '../model/limits.ts'
import { minute } from '../model/time.ts'

/** Longer than any id that a system gives out. */
const idMax = 4_096
const run = z.string().min(1).max(idMax).transform(runId)
const invocation = z.string().min(1).max(idMax).transform(invocationId)
/** Of a person: part of lists, and of what a decision is told by. */
const person = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'Has control characters')

export const approvalSchemas = {
  'approvals.list': z.object({
    runId: run.nullable(),
    approver: person.nullable(),
    after: invocation.nullable(),
    limit: z.int().min(1).max(pageSizeMax),
  }),
  'approvals.show': z.object({ runId: run, invocationId: invocation }),
  'approvals.decide': z.object({
    runId: run,
    invocationId: invocation,
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    answer: z.enum(approvalAnswers),
    values: z.custom<JsonObject>(isJsonObject, 'Expected an object').nullable(),
    comment: z.string().min(1).max(10_000).nullable(),
    by: person.nullable(),
  }),
  'approvals.watch': z.object({
    token: z.string().max(100).nullable(),
    spanMs: z.int().min(0).max(minute),
  }),
}
