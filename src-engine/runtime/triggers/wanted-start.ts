/** What an occurrence that reaches a trigger by itself is to start: its filter and its input, as for events. */

import { recordOfThrown } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { ExpressionParts } from './event-match.ts'
import { inputOf, passes } from './event-match.ts'

/** Why an occurrence starts nothing: the filter leaves it out, it is a repeat, or an expression fails on it. */
export interface NoStart {
  readonly kind: 'nothing'
  readonly reason: 'filtered' | 'expression_failed' | 'repeated'
  readonly words: string
}

/** What is to be started. */
export type WantedStart = { readonly kind: 'input'; readonly input: JsonValue } | NoStart

/** The filter of a trigger left an occurrence out. */
export const filteredOut: NoStart = { kind: 'nothing', reason: 'filtered', words: 'Its filter left it out.' }

export interface SaidOccurrence {
  readonly id: string
  /** What expressions see as the event's name. */
  readonly name: string
  readonly payload: JsonObject
  readonly at: Instant
}

export async function wantedStart(
  parts: ExpressionParts,
  parameters: { readonly filter?: unknown; readonly input?: unknown },
  { id, name, payload, at: now }: SaidOccurrence,
): Promise<WantedStart> {
  const event = { id, name, correlation: null, payload, at: new Date(now).toISOString(), source: null }
  // Parsed from JSON by the trigger's schema.
  const [filter, input] = [parameters.filter, parameters.input] as readonly (JsonValue | undefined)[]
  try {
    if (!(await passes(parts, filter, { event, now }))) return filteredOut
  } catch (thrown) {
    return failed('Its filter', thrown)
  }
  try {
    return { kind: 'input', input: await inputOf(parts, input, { event, now }) }
  } catch (thrown) {
    return failed('The expression for its input', thrown)
  }
}

/** What an expression that failed leads to. */
export const failed = (what: string, thrown: unknown): NoStart => ({
  kind: 'nothing',
  reason: 'expression_failed',
  words: `${what} failed: ${recordOfThrown(thrown).message}`,
})
