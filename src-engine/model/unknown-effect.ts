/** Errors that leave open whether a step had its effect: somebody else did it, and the answer was lost. */

import type { ErrorRecord } from './errors.ts'
import type { JsonObject } from './json.ts'

const name = 'effect'
const unknown = 'unknown'

/** The details of an error, saying that what was asked for may have been done all the same. */
export const withUnknownEffect = (details: JsonObject): JsonObject => ({ ...details, [name]: unknown })

/** Whether an error says so. */
export const leavesUnknownEffect = (error: ErrorRecord | null): boolean => error?.details[name] === unknown
