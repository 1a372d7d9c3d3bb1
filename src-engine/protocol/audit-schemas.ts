/** Schemas of the inputs of `audit.*`. */

import { z } from 'zod'
import { runId } from '../model/ids.ts'
import { pageSizeMax } from '../model/limits.ts'
import { auditSubjects } from './audit.ts'

/** One place per partition. */
const cursorMax = 65_536

export const auditSchemas = {
  'audit.list': z.object({
    runId: z.string().min(1).max(4_096).transform(runId).nullable(),
    about: z.array(z.enum(auditSubjects)).nullable(),
    by: z.string().min(1).max(512).nullable(),
    before: z
      .string()
      .max(cursorMax)
      .regex(/^\d+\.\d+\.\d+(?:,\d+\.\d+\.\d+)*$/)
      .nullable(),
    limit: z.int().min(1).max(pageSizeMax),
  }),
}
