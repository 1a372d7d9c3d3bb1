/** Errors that name when another try makes sense: who refused the work said when to come back. */

import type { ErrorRecord } from './errors.ts'
import type { JsonObject } from './json.ts'
import { retryAfterMsMax } from './limits.ts'
import type { Millis } from './time.ts'

const name = 'retryAfterMs'

/** The details of an error, saying that another try makes no sense for so long. */
export const withRetryAfter = (details: JsonObject, millis: Millis): JsonObject => ({
  ...details,
  [name]: bounded(millis),
})

/** How long an error asks to be left alone; 0 for one that doesn't ask, or not in earnest. */
export function retryAfterOf(error: ErrorRecord): Millis {
  const asked = error.details[name]
  return typeof asked === 'number' && asked > 0 ? bounded(asked) : 0
}

const bounded = (millis: Millis): Millis => Math.ceil(Math.min(Math.max(0, millis), retryAfterMsMax))
