/** A JSON Schema that values fit which were seen: what a step has given so far, as a promise for what it will give. */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** Below this, anything may stand: data that nests deeper is rarely meant by its shape. */
const depthMax = 12
/** An object with more fields is a table by names that are data: its fields are no promise. */
const fieldsMax = 100

/**
 * Kinds of values, the fields of objects and what lists hold; a field is required that all of them have. Nothing that stood
 * in a value is told. Empty values and those of different kinds promise nothing.
 */
export function learnedSchema(values: readonly JsonValue[], depth = 0): JsonObject {
  const kinds = new Set(values.map(kindOf))
  const [kind] = kinds
  if (kind === undefined || kinds.size > 1 || kind === 'null' || depth === depthMax) return {}
  if (kind === 'array') return listSchema(values as readonly (readonly JsonValue[])[], depth)
  return kind === 'object' ? objectSchema(values.filter(isJsonObject), depth) : { type: kind }
}

function listSchema(lists: readonly (readonly JsonValue[])[], depth: number): JsonObject {
  const items = learnedSchema(lists.flat(), depth + 1)
  return { type: 'array', ...(Object.keys(items).length === 0 ? {} : { items }) }
}

function objectSchema(objects: readonly JsonObject[], depth: number): JsonObject {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))]
  if (names.length === 0 || names.length > fieldsMax) return { type: 'object' }
  const having = (name: string): readonly JsonObject[] => objects.filter((one) => Object.hasOwn(one, name))
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      learnedSchema(
        having(name).map((one) => one[name] ?? null),
        depth + 1,
      ),
    ]),
  )
  const required = names.filter((name) => having(name).length === objects.length)
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function kindOf(value: JsonValue): 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}
