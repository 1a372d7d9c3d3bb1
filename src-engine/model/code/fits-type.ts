/**
 * Whether a value has the type that TypeScript derives from its schema: forms only, no bounds or patterns, and
 * no fields that the schema doesn't name. Whoever generates code asks, so that what it writes type-checks.
 */

import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import type { SchemaCursor } from '../schema-walk.ts'

export interface FitOptions {
  /** Whether a text with `{{ }}` may stand for any value. */
  readonly expressions: boolean
}

const expressionText = /\{\{[\s\S]*\}\}/

/** True when the code may say the value as it is; false when in doubt. */
export function fitsType(cursor: SchemaCursor, value: JsonValue, options: FitOptions): boolean {
  const { root, schema } = cursor
  if (options.expressions && typeof value === 'string' && expressionText.test(value)) return true
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const target = definitionAt(root, reference)
    return target !== null && fitsType({ root, schema: target }, value, options)
  }
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (choices.length > 0) return choices.some((choice) => fitsType({ root, schema: choice }, value, options))
  if (Array.isArray(schema['allOf'])) {
    return listOf(schema['allOf']).every((part) => fitsType({ root, schema: part }, value, options))
  }
  if ('const' in schema) return schema['const'] === value
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value)
  return fitsNamedType(cursor, value, options)
}

function fitsNamedType(cursor: SchemaCursor, value: JsonValue, options: FitOptions): boolean {
  const { root, schema } = cursor
  const { type } = schema
  if (Array.isArray(type)) {
    return type.some((one: JsonValue) =>
      fitsNamedType({ root, schema: { ...schema, type: one } }, value, options),
    )
  }
  switch (type) {
    case undefined:
      return true
    case 'object':
      return isJsonObject(value) && fitsObject(cursor, value, options)
    case 'array':
      return Array.isArray(value) && fitsList(cursor, value, options)
    case 'string':
      return typeof value === 'string'
    case 'number':
    case 'integer':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    default:
      return false
  }
}

function fitsObject({ root, schema }: SchemaCursor, value: JsonObject, options: FitOptions): boolean {
  const known = isJsonObject(schema['properties']) ? schema['properties'] : null
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  if (!required.every((key) => typeof key === 'string' && Object.hasOwn(value, key))) return false
  return Object.entries(value).every(([key, item]) => {
    const own = known !== null && Object.hasOwn(known, key) ? known[key] : undefined
    if (isJsonObject(own)) return fitsType({ root, schema: own }, item, options)
    // An object with fields of its own keeps others at run time, but its type doesn't know them.
    const rest = schema['additionalProperties']
    return known === null && isJsonObject(rest) && fitsType({ root, schema: rest }, item, options)
  })
}

function fitsList({ root, schema }: SchemaCursor, items: readonly JsonValue[], options: FitOptions): boolean {
  if (schema['prefixItems'] !== undefined) return false
  const own = schema['items']
  return items.every((item) => !isJsonObject(own) || fitsType({ root, schema: own }, item, options))
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

function definitionAt(root: JsonObject, reference: string): JsonObject | null {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1]
  const definitions = root['$defs']
  if (name === undefined || !isJsonObject(definitions)) return null
  const found = definitions[name]
  return isJsonObject(found) ? found : null
}
