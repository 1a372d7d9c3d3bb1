/** Schemas of the inputs of `triggers.*`. */

import { z } from 'zod'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

export const triggerSchemas = {
  'triggers.preview': z.object({
    parameters: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
    from: z.number().nullable(),
    count: z.int().min(1).max(100),
  }),
}
