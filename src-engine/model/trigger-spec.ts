/** What a trigger kind declares; same idea as a task's spec. */

import type { z } from 'zod'
import type { JsonObject } from './json.ts'

export interface TriggerSpec<Parameters = unknown> {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly icon: string
  readonly parameters: z.ZodType<Parameters>
  readonly defaults: JsonObject
  readonly summary: (parameters: JsonObject) => string
}
