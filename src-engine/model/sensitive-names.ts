/** What nobody may read in a log: values under names of headers, fields and variables that open doors. */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

const sensitive =
  /^(?:.*[-_.])?(?:authorization|cookie|set-?cookie|pass(?:word|wd|phrase)?|secret|token|api-?key|credentials?|private-?key|session-?(?:id|key))$/

/** Deeper than any field of ours; what lies below is left out. */
const depthMax = 8

/** Whether a name says that its value is nobody's business. */
export function isSensitiveName(name: string): boolean {
  // One spelling: `apiKey`, `API_KEY` and `api-key` are the same name.
  const plain = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  return sensitive.test(plain)
}

/** The same fields without what is sensitive by its name, at any depth. */
export function redactedByName(fields: JsonObject, depth = 0): JsonObject {
  if (depth === depthMax) return {}
  const clean = ([name, value]: readonly [string, JsonValue]): [string, JsonValue] => [
    name,
    isSensitiveName(name) ? '(redacted)' : cleanValue(value, depth),
  ]
  return Object.fromEntries(Object.entries(fields).map(clean))
}

function cleanValue(value: JsonValue, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleanValue(item, depth))
  if (isJsonObject(value)) return redactedByName(value, depth + 1)
  // Headers also come as text: the part after a scheme is what opens doors.
  return typeof value === 'string'
    ? value.replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 (redacted)')
    : value
}
