/** The input form between its JSON Schema and the few fields that people edit. Pure. */

import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'

export const inputTypes = ['text', 'number', 'yes/no', 'json'] as const
export type InputType = (typeof inputTypes)[number]

export interface InputField {
  readonly name: string
  readonly title: string
  readonly type: InputType
  readonly isRequired: boolean
  /** As it is written in the form; empty for none. */
  readonly defaultValue: string
}

const typeBySchema: Readonly<Record<string, InputType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes/no',
}
const schemaByType: Readonly<Record<InputType, JsonObject>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  'yes/no': { type: 'boolean' },
  json: {},
}

/** The fields of an input schema. */
export function inputFieldsOf(input: JsonObject | null): readonly InputField[] {
  const properties = isJsonObject(input?.['properties']) ? input['properties'] : {}
  const required = Array.isArray(input?.['required']) ? input['required'] : []
  return Object.entries(properties).map(([name, value]) => {
    const property = isJsonObject(value) ? value : {}
    const initial = property['default']
    return {
      name,
      title: typeof property['title'] === 'string' ? property['title'] : '',
      type: typeBySchema[typeof property['type'] === 'string' ? property['type'] : ''] ?? 'json',
      isRequired: required.includes(name),
      defaultValue:
        initial === undefined ? '' : typeof initial === 'string' ? initial : JSON.stringify(initial),
    }
  })
}

/** The schema for the fields; what else the schema said about a field of the same name is kept. */
export function inputSchemaOf(before: JsonObject | null, fields: readonly InputField[]): JsonObject | null {
  if (fields.length === 0) return null
  const known = isJsonObject(before?.['properties']) ? before['properties'] : {}
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, propertyOf(field, known[field.name])]),
  )
  const required = fields.filter((field) => field.isRequired).map((field) => field.name)
  const { required: _before, ...rest } = before ?? {}
  return { ...rest, type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function propertyOf(field: InputField, before: JsonValue | undefined): JsonObject {
  const kept: JsonObject = isJsonObject(before) ? before : {}
  const { default: _default, type, ...rest } = kept
  const sameType = typeof type === 'string' && typeBySchema[type] === field.type
  const initial = valueOf(field)
  return {
    ...rest,
    ...(sameType ? { type } : schemaByType[field.type]),
    ...(initial === undefined ? {} : { default: initial }),
  }
}

function valueOf({ type, defaultValue }: InputField): JsonValue | undefined {
  if (defaultValue === '') return undefined
  if (type === 'text') return defaultValue
  try {
    return JSON.parse(defaultValue) as JsonValue
  } catch {
    // Half-written: kept as text until it can be read; validation says so meanwhile.
    return defaultValue
  }
}
