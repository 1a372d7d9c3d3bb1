/** Ways through a JSON Schema beside a value: which schema describes a property or an item. */

import { z } from 'zod'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** A schema and the document that its `$ref`s point into. */
export interface SchemaCursor {
  readonly root: JsonObject
  readonly schema: JsonObject
}

/** `#/$defs/…` may point to a reference again; a longer chain is a loop. */
const referencesMax = 32

const schemaByType = new WeakMap<z.ZodType, JsonObject>()

/** The JSON Schema of what a person writes (defaults may be absent); made once per schema. */
export function inputJsonSchema(type: z.ZodType): JsonObject {
  const known = schemaByType.get(type)
  if (known !== undefined) return known
  // zod's own type for a JSON Schema has optional fields; as data it is a JSON object.
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonObject
  schemaByType.set(type, schema)
  return schema
}

/** The cursor at the top of a schema. */
export function schemaCursor(schema: JsonObject): SchemaCursor {
  return { root: schema, schema }
}

/** The schemas that may describe this value here: references followed, unions narrowed by their constants. */
export function variantsAt(cursor: SchemaCursor, value: JsonValue | undefined): readonly JsonObject[] {
  const found: JsonObject[] = []
  collectVariants(cursor, { value, found, left: referencesMax })
  return found
}

/** The cursors of a property (or of an item, by its index), one for each variant that knows it. */
export function stepInto(
  cursor: SchemaCursor,
  value: JsonValue | undefined,
  key: string | number,
): readonly SchemaCursor[] {
  const steps: SchemaCursor[] = []
  for (const variant of variantsAt(cursor, value)) {
    const schema = typeof key === 'number' ? itemSchema(variant, key) : propertySchema(variant, key)
    if (schema !== null) steps.push({ root: cursor.root, schema })
  }
  return steps
}

function collectVariants(
  cursor: SchemaCursor,
  walk: { readonly value: JsonValue | undefined; readonly found: JsonObject[]; readonly left: number },
): void {
  if (walk.left === 0) return
  const deeper = { ...walk, left: walk.left - 1 }
  const { schema, root } = cursor
  const target = typeof schema['$ref'] === 'string' ? referenced(root, schema['$ref']) : null
  walk.found.push(schema)
  if (target !== null) collectVariants({ root, schema: target }, deeper)
  for (const part of schemasIn(schema['allOf'])) collectVariants({ root, schema: part }, deeper)
  const options = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
  const fitting = options.filter((option) => mayDescribe(option, walk.value))
  for (const option of fitting.length > 0 ? fitting : options)
    collectVariants({ root, schema: option }, deeper)
}

function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function referenced(root: JsonObject, reference: string): JsonObject | null {
  if (!reference.startsWith('#')) return null
  let at: JsonValue | undefined = root
  for (const part of reference
    .slice(1)
    .split('/')
    .filter((text) => text !== '')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isJsonObject(at) ? at : null
}

/** False when a constant property of the option contradicts the value: how unions name their kinds. */
function mayDescribe(option: JsonObject, value: JsonValue | undefined): boolean {
  if (value === undefined) return true
  if (option['type'] === 'object' && !isJsonObject(value)) return false
  if (option['type'] === 'array' && !Array.isArray(value)) return false
  if (!isJsonObject(value) || !isJsonObject(option['properties'])) return true
  return Object.entries(option['properties']).every(([key, property]) => {
    if (!isJsonObject(property)) return true
    const actual = Object.hasOwn(value, key) ? value[key] : property['default']
    if (actual === undefined) return true
    if (property['const'] !== undefined) return property['const'] === actual
    return true
  })
}

function itemSchema(schema: JsonObject, index: number): JsonObject | null {
  const fixed = schema['prefixItems']
  const own = Array.isArray(fixed) ? fixed[index] : undefined
  if (isJsonObject(own)) return own
  return isJsonObject(schema['items']) ? schema['items'] : null
}

function propertySchema(schema: JsonObject, key: string): JsonObject | null {
  const properties = schema['properties']
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    const own = properties[key]
    return isJsonObject(own) ? own : null
  }
  return isJsonObject(schema['additionalProperties']) ? schema['additionalProperties'] : null
}
