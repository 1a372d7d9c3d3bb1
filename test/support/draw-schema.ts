/** Values that a JSON Schema describes, every field of it now and then; and which of its fields some values have. */

import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { schemaCursor, stepInto, variantsAt } from '../../src-engine/model/schema-walk.ts'

/** What values are made of where the schema leaves it open. */
export interface Drawing {
  readonly text: fc.Arbitrary<string>
  readonly json: fc.Arbitrary<JsonValue>
  /** Names of entries where the schema names none. */
  readonly name: fc.Arbitrary<string>
}

/** Lists and free entries are no longer. */
const itemsMax = 2
const fieldsUsual = 4
/** A schema that names itself is followed no further. */
const depthMax = 12

/** Draws values that fit, apart from patterns and from what a schema can't say. */
export function drawSchema(schema: JsonObject, drawing: Drawing): fc.Arbitrary<JsonValue> {
  return drawPart(schema, { root: schema, drawing, depth: 0 })
}

interface Part {
  readonly root: JsonObject
  readonly drawing: Drawing
  readonly depth: number
}

function drawPart(given: JsonObject, part: Part): fc.Arbitrary<JsonValue> {
  const schema = typeof given['$ref'] === 'string' ? referenced(part.root, given['$ref']) : given
  if (part.depth > depthMax) return part.drawing.json
  const deeper = { ...part, depth: part.depth + 1 }
  const { const: constant, enum: values, anyOf, oneOf, type } = schema
  if (constant !== undefined) return fc.constant(constant)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  const options = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []))
  if (options.length > 0)
    return fc.oneof(
      ...options.map((option) => ({ weight: weightOf(option), arbitrary: drawPart(option, deeper) })),
    )
  switch (type) {
    case 'object':
      return drawObject(schema, deeper)
    case 'array':
      return drawList(schema, deeper)
    case 'string':
      return drawText(schema, part.drawing)
    case 'integer':
      return fc.integer(rangeOf(schema, 1))
    case 'number':
      return fc.double({ ...rangeOf(schema, 0), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return part.drawing.json
  }
}

/** Of several forms the ones with more fields are drawn more often. */
const weightOf = ({ properties }: JsonObject): number =>
  isJsonObject(properties) ? Object.keys(properties).length + 1 : 1

function drawObject(schema: JsonObject, part: Part): fc.Arbitrary<JsonObject> {
  const { properties, required, additionalProperties } = schema
  const own = isJsonObject(properties) ? Object.entries(properties) : []
  const fields = own.flatMap(([name, field]) =>
    isJsonObject(field) ? [[name, drawPart(field, part)] as const] : [],
  )
  const requiredKeys = Array.isArray(required) ? required : []
  const named = drawFields(fields, requiredKeys)
  if (own.length > 0 || !isJsonObject(additionalProperties)) return named
  return fc.dictionary(part.drawing.name, drawPart(additionalProperties, part), { maxKeys: itemsMax })
}

/** Objects with many fields have some of them: what is drawn stays small enough to be drawn often. */
export function drawFields(
  fields: readonly (readonly [string, fc.Arbitrary<JsonValue>])[],
  required: readonly JsonValue[] = [],
): fc.Arbitrary<JsonObject> {
  const weight = Math.max(1, (fields.length - fieldsUsual) / fieldsUsual)
  const given = fields.map(([name, arbitrary]): [string, fc.Arbitrary<JsonValue | undefined>] => {
    if (required.includes(name)) return [name, arbitrary]
    const nothing = { weight: Math.round(weight * 2), arbitrary: fc.constant(undefined) }
    return [name, fc.oneof(nothing, { weight: 2, arbitrary })]
  })
  return fc.record(Object.fromEntries(given)).map((all) => {
    const there = Object.entries(all).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
    return Object.fromEntries(there)
  })
}

function drawList(schema: JsonObject, part: Part): fc.Arbitrary<JsonValue> {
  const { items, minItems } = schema
  const minLength = typeof minItems === 'number' ? minItems : 0
  const item = isJsonObject(items) ? drawPart(items, part) : part.drawing.json
  return fc.array(item, { minLength, maxLength: Math.max(itemsMax, minLength) })
}

function drawText({ minLength, maxLength }: JsonObject, { text }: Drawing): fc.Arbitrary<string> {
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  return text.filter(({ length }) => length >= least && length <= most)
}

/** Whole steps above and below what is excluded; wide enough to have numbers of all sorts. */
function rangeOf(schema: JsonObject, step: number): { readonly min: number; readonly max: number } {
  const at = (name: string): number | null => {
    const value = schema[name]
    return typeof value === 'number' ? value : null
  }
  const above = at('exclusiveMinimum')
  const below = at('exclusiveMaximum')
  const min = at('minimum') ?? (above === null ? -5 : above + (step || 0.001))
  const max = at('maximum') ?? (below === null ? Math.max(min, 0) + 100_000 : below - (step || 0.001))
  // fast-check's integers are of 32 bits.
  return step === 0 ? { min, max } : { min: Math.max(min, -0x8000_0000), max: Math.min(max, 0x7fff_ffff) }
}

function referenced(root: JsonObject, reference: string): JsonObject {
  let at: JsonValue | undefined = root
  for (const name of reference.split('/').slice(1)) at = isJsonObject(at) ? at[name] : undefined
  if (!isJsonObject(at)) throw new Error(`The schema refers to ${reference}, which isn’t there.`)
  return at
}

/** Every field that a schema names, as `retry.maxAttempts`, `mounts.*.source`; free entries are a `*`. */
export function fieldsOfSchema(schema: JsonObject): readonly string[] {
  const found = new Set<string>()
  const walk = (given: JsonObject, at: string, depth: number): void => {
    const here = typeof given['$ref'] === 'string' ? referenced(schema, given['$ref']) : given
    if (depth > depthMax) return
    const { properties, additionalProperties, items } = here
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const options = here[key]
      if (Array.isArray(options)) for (const one of options) if (isJsonObject(one)) walk(one, at, depth + 1)
    }
    if (isJsonObject(properties))
      for (const [name, field] of Object.entries(properties)) {
        found.add(`${at}${name}`)
        if (isJsonObject(field)) walk(field, `${at}${name}.`, depth + 1)
      }
    else if (isJsonObject(additionalProperties)) walk(additionalProperties, `${at}*.`, depth + 1)
    if (isJsonObject(items)) walk(items, `${at}*.`, depth + 1)
  }
  walk(schema, '', 0)
  return [...found]
}

/** The fields of a schema that a value has, in the same words. */
export function fieldsOfValue(schema: JsonObject, value: JsonValue): readonly string[] {
  const found = new Set<string>()
  const walk = (cursor: ReturnType<typeof schemaCursor>, here: JsonValue, at: string): void => {
    if (typeof here !== 'object' || here === null) return
    const isNamed = variantsAt(cursor, here).some((one) => isJsonObject(one['properties']))
    for (const [name, field] of Object.entries(here)) {
      const step = Array.isArray(here) || !isNamed ? '*' : name
      if (step !== '*') found.add(`${at}${name}`)
      for (const next of stepInto(cursor, here, Array.isArray(here) ? Number(name) : name))
        walk(next, field, `${at}${step}.`)
    }
  }
  walk(schemaCursor(schema), value, '')
  return [...found]
}
