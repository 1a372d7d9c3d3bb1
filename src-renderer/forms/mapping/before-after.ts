/** What a mapping makes of an example, field by field. Pure. */

import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'

export interface ExampleRow {
  readonly name: string
  readonly text: string
  readonly change: 'none' | 'gone' | 'new' | 'changed'
}

export interface Example {
  readonly before: readonly ExampleRow[]
  readonly after: readonly ExampleRow[]
}

/** More of a value is looked at in the data of the run. */
const rowsMax = 12
const charsMax = 80

/** Of lists, their first entries are compared; what is no object is one row without a name. */
export function exampleOf(before: JsonValue, after: JsonValue): Example {
  const [old, made] = [fieldsOfValue(firstOf(before)), fieldsOfValue(firstOf(after))]
  const rows = (fields: JsonObject, other: JsonObject, missing: 'gone' | 'new'): readonly ExampleRow[] =>
    Object.entries(fields)
      .slice(0, rowsMax)
      .map(([name, value]) => {
        const text = JSON.stringify(value)
        const isSame = Object.hasOwn(other, name) && JSON.stringify(other[name]) === text
        const change = !Object.hasOwn(other, name) ? missing : isSame ? 'none' : 'changed'
        return { name, text: text.length > charsMax ? `${text.slice(0, charsMax)}…` : text, change }
      })
  return { before: rows(old, made, 'gone'), after: rows(made, old, 'new') }
}

/** The names of an example's fields, for those who choose among them. */
export function namesIn(value: JsonValue): readonly string[] {
  const looked = Array.isArray(value) ? value.slice(0, 50) : [value]
  return [...new Set(looked.flatMap((one: JsonValue) => (isJsonObject(one) ? Object.keys(one) : [])))]
}

const firstOf = (value: JsonValue): JsonValue => (Array.isArray(value) ? (value[0] ?? null) : value)

const fieldsOfValue = (value: JsonValue): JsonObject =>
  isJsonObject(value) ? value : value === null ? {} : { '': value }
