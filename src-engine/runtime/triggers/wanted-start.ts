/** What an occurrence that reaches a trigger by itself is to start: its filter and its input, as for events. */

import { recordOfThrown } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { ExpressionParts } from './event-match.ts'
import { inputOf, passes } from './event-match.ts'

/** What is to be started. */
export type WantedStart =
  | { readonly kind: 'input'; readonly input: JsonValue }
  /** An expression of the trigger fails on it. */
  | { readonly kind: 'failure'; readonly words: string }

export interface SaidOccurrence {
  readonly id: string
  /** What expressions see as the event's name. */
  readonly name: string
  readonly payload: JsonObject
  readonly at: Instant
}

/** Null where the filter leaves it out. */
export async function wantedStart(
  parts: ExpressionParts,
  parameters: { readonly filter?: unknown; readonly input?: unknown },
  { id, name, payload, at: now }: SaidOccurrence,
): Promise<WantedStart | null> {
  const event = { id, name, correlation: null, payload, at: new Date(now).toISOString(), source: null }
  // Parsed from JSON by the trigger's schema.
  const [filter, input] = [parameters.filter, parameters.input] as readonly (JsonValue | undefined)[]
  try {
    if (!(await passes(parts, filter, { event, now }))) return null
  } catch (thrown) {
    return { kind: 'failure', words: `Its filter failed: ${recordOfThrown(thrown).message}` }
  }
  try {
    return { kind: 'input', input: await inputOf(parts, input, { event, now }) }
  } catch (thrown) {
    const words = `The expression for its input failed: ${recordOfThrown(thrown).message}`
    return { kind: 'failure', words }
  }
}
