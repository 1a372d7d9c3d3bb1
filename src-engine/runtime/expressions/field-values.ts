/** Putting values into parameters: the originals stay as they are. */

import type { FieldPath } from '../../model/field-hints.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'

/** The parameters with one value replaced; undefined takes the field away. */
export function withValueAt(
  parameters: JsonObject,
  path: FieldPath,
  value: JsonValue | undefined,
): JsonObject {
  // A path into an object's fields begins with one of them.
  return replaced(parameters, path, value) as JsonObject
}

function replaced(at: JsonValue, path: FieldPath, value: JsonValue | undefined): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return value ?? null
  if (Array.isArray(at)) {
    return at.map((item: JsonValue, index) => (index === key ? replaced(item, rest, value) : item))
  }
  if (!isJsonObject(at)) return at
  const entries = Object.entries(at).flatMap(([name, item]): [string, JsonValue][] => {
    if (name !== key) return [[name, item]]
    return rest.length === 0 && value === undefined ? [] : [[name, replaced(item, rest, value)]]
  })
  return Object.fromEntries(entries)
}

/** A value inside a text: nothing is no text, and what isn't a text is written as JSON. */
export function textInTemplate(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
