/** JSON as data: the only shape that crosses a checkpoint, a process boundary or a document. */

export type JsonPrimitive = string | number | boolean | null
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Whether a value is a plain JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON text with keys sorted at every level: equal values give equal text, whatever their key order. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`
  if (!isJsonObject(value) || isSorted(value, sortedDepthMax)) return JSON.stringify(value)
  const parts: string[] = []
  for (const key of sortedKeys(value)) {
    const item = value[key]
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}

/** The keys of an object in the order of their UTF-16 units. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  }
  return keys
}

/** Deeper and larger objects are gone through anyway: to look at every level twice would cost more. */
const sortedDepthMax = 2
const sortedKeysMax = 8

/** Whether the built-in text has its keys in order: large documents are made of small objects that do. */
function isSorted(value: JsonValue, depthLeft: number): boolean {
  if (!isJsonObject(value)) return !Array.isArray(value)
  if (depthLeft === 0) return false
  let before = ''
  let count = 0
  for (const key in value) {
    const item = value[key]
    count += 1
    if (count > sortedKeysMax || key < before || item === undefined || !isSorted(item, depthLeft - 1))
      return false
    before = key
  }
  return true
}
