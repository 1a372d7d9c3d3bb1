/** Schemas of the inputs of `triggers.*`. */

import { z } from 'zod'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

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
}
