/** Drops from JSON what says nothing: fields that equal their default, and fields that don't matter. */

import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import type { SchemaCursor } from './schema-walk.ts'
import { stepInto } from './schema-walk.ts'

/** What the fields of an object mean for its normal form. A nested object without fields is dropped. */
export interface NormalShape {
  readonly dropped?: readonly string[]
  readonly defaults?: JsonObject
  /** Lists whose order and repetitions mean nothing; the empty one is the default. */
  readonly sets?: readonly string[]
  /** Same, but an empty list differs from none. */
  readonly strictSets?: readonly string[]
  readonly nested?: Readonly<Record<string, NormalShape>>
  /** Records by id whose values have a shape. */
  readonly records?: Readonly<Record<string, NormalShape>>
}

/** The object in its normal form: absent and default look alike, unknown fields are kept. */
export function normalForm(value: JsonObject, shape: NormalShape): JsonObject {
  const kept: [string, JsonValue][] = []
  let isSame = true
  for (const [key, raw] of Object.entries(value)) {
    // A document built in code may carry undefined; JSON wouldn't.
    const isKept = (raw as JsonValue | undefined) !== undefined && shape.dropped?.includes(key) !== true
    const item = isKept ? normalField(key, raw, shape) : undefined
    if (item !== undefined && !isDefault(item, shape.defaults, key)) kept.push([key, item])
    else isSame = false
    if (item !== raw) isSame = false
  }
  // Of tens of thousands of nodes and edges most are in their normal form.
  return isSame ? value : Object.fromEntries(kept)
}

function normalField(key: string, raw: JsonValue, shape: NormalShape): JsonValue | undefined {
  const nested = own(shape.nested, key)
  if (nested !== undefined && isJsonObject(raw)) return unlessEmpty(normalForm(raw, nested))
  const record = own(shape.records, key)
  if (record !== undefined && isJsonObject(raw)) {
    return unlessEmpty(mapObject(raw, (item) => (isJsonObject(item) ? normalForm(item, record) : item)))
  }
  if (shape.sets?.includes(key) === true && Array.isArray(raw))
    return raw.length === 0 ? undefined : asSet(raw)
  if (shape.strictSets?.includes(key) === true && Array.isArray(raw)) return asSet(raw)
  return raw
}

/** The object without the fields whose schema says that they equal their default, at every level. */
export function withoutSchemaDefaults(value: JsonValue, cursors: readonly SchemaCursor[]): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) =>
      withoutSchemaDefaults(item, stepsInto(cursors, value, index)),
    )
  }
  if (!isJsonObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [key, item] of Object.entries(value)) {
    const steps = stepsInto(cursors, value, key)
    const normal = withoutSchemaDefaults(item, steps)
    if (!equalsEveryDefault(normal, steps)) kept.push([key, normal])
  }
  return Object.fromEntries(kept)
}

function stepsInto(
  cursors: readonly SchemaCursor[],
  value: JsonValue,
  key: string | number,
): readonly SchemaCursor[] {
  return cursors.flatMap((cursor) => stepInto(cursor, value, key))
}

/** Where members of a union have different defaults, none is taken for granted. */
function equalsEveryDefault(normal: JsonValue, cursors: readonly SchemaCursor[]): boolean {
  if (cursors.length === 0) return false
  const text = canonicalJson(normal)
  return cursors.every((cursor) => {
    const byDefault = cursor.schema['default']
    return byDefault !== undefined && canonicalJson(withoutSchemaDefaults(byDefault, [cursor])) === text
  })
}

function isDefault(item: JsonValue, defaults: JsonObject | undefined, key: string): boolean {
  const byDefault = own(defaults, key)
  return byDefault !== undefined && canonicalJson(item) === canonicalJson(byDefault)
}

function asSet(items: readonly JsonValue[]): JsonValue {
  return [...new Map(items.map((item) => [canonicalJson(item), item]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
}

function unlessEmpty(value: JsonObject): JsonObject | undefined {
  for (const _ in value) return value
  return undefined
}

/** The object with each item changed; itself when none is another one. */
export function mapObject(value: JsonObject, change: (item: JsonValue) => JsonValue): JsonObject {
  let isSame = true
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const changed = change(item)
    if (changed !== item) isSame = false
    return [key, changed]
  })
  return isSame ? value : Object.fromEntries(entries)
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}
