/** Text that a person writes as JSON. Pure. */

import type { JsonValue } from '../../src-engine/model/json.ts'
import { findJsonFault } from '../../src-engine/model/json-place.ts'

export type JsonText =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** A sentence with the place. */
  | { readonly kind: 'fault'; readonly message: string }

/** The value of a text, or where it stops being JSON. */
export function readJsonText(text: string): JsonText {
  if (text.trim() === '')
    return { kind: 'fault', message: 'Nothing is written here. Write null for nothing.' }
  const fault = findJsonFault(text)
  if (fault === null) return { kind: 'value', value: JSON.parse(text) as JsonValue }
  const { line, column, reason } = fault
  return { kind: 'fault', message: `Line ${line}, column ${column}: ${reason}.` }
}

/** The same JSON with line breaks; as it is when it is none. */
export function prettyJson(text: string): string {
  const read = readJsonText(text)
  return read.kind === 'value' ? JSON.stringify(read.value, null, 2) : text
}
