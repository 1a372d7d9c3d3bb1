/** What a server says about when to come back, as it stands in the header `Retry-After`. */

import type { JsonObject } from '../model/json.ts'
import { withRetryAfter } from '../model/retry-after.ts'
import type { Instant, Millis } from '../model/time.ts'
import { second } from '../model/time.ts'

/** With these the header speaks of the next try; with a redirect, say, it means something else. */
const saysWhen: ReadonlySet<number> = new Set([429, 503])
/** A day of the week in front: the form of the standard, and the two older ones that it has readers take. */
const dated = /^[a-z]{3,9},? \S/i

/** The details of an error, with when the server wants to be asked again where it says so. */
export function heedingRetryAfter(
  details: JsonObject,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  now: Instant,
): JsonObject {
  const text = answer.headers['retry-after']
  if (text === undefined || !saysWhen.has(answer.status)) return details
  const millis = millisUntil(text.trim(), now)
  return millis === null ? details : withRetryAfter(details, millis)
}

/** Null for what is neither a number of seconds nor a date. */
function millisUntil(text: string, now: Instant): Millis | null {
  if (/^\d+$/.test(text)) return Number(text) * second
  if (!dated.test(text)) return null
  // The oldest form names no zone, and means the same.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : at - now
}
