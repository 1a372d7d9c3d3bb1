/** Entries of a Redis stream as runs get them. Pure: the same entry always says the same. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { findJsonIntrusion } from '../../model/json-guard.ts'
import { nestingMax } from '../../model/limits.ts'

/** An entry as its server hands it out. */
export interface StreamEntry {
  /** `1700000000000-0`: the instant at which it was added, and its number in that. */
  readonly id: string
  /** Null for one that was deleted or trimmed away after it had been handed out. */
  readonly fields: readonly (readonly [name: string, value: string])[] | null
}

/** How values of fields are read. */
export type StreamValues = 'text' | 'json'

/** What is known of an entry: its id, when it was added, its fields. What comes twice counts as it came last. */
export function entryPayload({ id, fields }: StreamEntry, values: StreamValues): JsonObject {
  const named = (fields ?? []).filter(([name]) => name !== '__proto__')
  return {
    id,
    at: atOf(id),
    fields: Object.fromEntries(
      named.map(([name, text]) => [name, values === 'json' ? readValue(text) : text]),
    ),
  }
}

/** The latest instant that there is. */
const instantMax = 8_640_000_000_000_000

/** Null where the ids of the stream are no instants. */
function atOf(id: string): string | null {
  const ms = Number(id.split('-', 1)[0])
  return ms <= instantMax ? new Date(ms).toISOString() : null
}

/** JSON where it is that and nothing that no JSON from outside may have; else the text. */
function readValue(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue
    const isSafe = findJsonIntrusion([value], nestingMax) === null
    return isSafe ? value : text
  } catch {
    return text
  }
}
