/** Where in its parameters a kind of step may hold secrets, read from its schema as the forms read it. */

import type { z } from 'zod'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { TriggerSpec } from '../../src-engine/model/trigger-spec.ts'

/** A field, and in a union the `kind` of the member that has it: `channel (slack).address`. */
export interface SecretPlace {
  readonly path: readonly string[]
  readonly member: string | null
}

/** Every field whose schema says that it may hold a secret. */
export function secretPlaces(spec: TaskSpec): readonly SecretPlace[] {
  return placesWhere(spec.parameters, (schema) => typeof schema['secret'] === 'string')
}

function placesWhere(type: z.ZodType, isOne: (schema: JsonObject) => boolean): readonly SecretPlace[] {
  const found: SecretPlace[] = []
  const walk = (schema: JsonValue, place: SecretPlace): void => {
    if (Array.isArray(schema)) for (const one of schema) walk(one, place)
    if (!isJsonObject(schema)) return
    if (isOne(schema)) found.push(place)
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    const kind = isJsonObject(properties['kind']) ? properties['kind']['const'] : undefined
    const member = typeof kind === 'string' ? kind : null
    for (const [key, property] of Object.entries(properties))
      walk(property, { path: [...place.path, key], member })
    for (const key of ['oneOf', 'anyOf', 'allOf']) walk(schema[key] ?? null, place)
  }
  walk(inputJsonSchema(type), { path: [], member: null })
  return found
}

/** Every field of a trigger kind that has the name of a secret, which it opens by itself. */
export function secretNamePlaces(spec: TriggerSpec): readonly SecretPlace[] {
  return placesWhere(spec.parameters, (schema) => schema['widget'] === 'secret-name')
}

/** Whether these parameters name a secret there. */
export function isNamedAt(parameters: JsonObject, { path, member }: SecretPlace): boolean {
  const [field, name = ''] = path
  const holder = isJsonObject(parameters[field ?? '']) ? (parameters[field ?? ''] as JsonObject) : {}
  return holder['kind'] === member && holder[name] !== undefined && holder[name] !== ''
}

/** Whether these parameters have a secret there, or in what is below. */
export function namesSecretAt(parameters: JsonObject, { path, member }: SecretPlace): boolean {
  let holder: JsonValue = null
  let value: JsonValue = parameters
  for (const key of path) {
    holder = value
    value = (isJsonObject(value) ? value[key] : null) ?? null
  }
  const isMember = member === null || (isJsonObject(holder) && holder['kind'] === member)
  return isMember && JSON.stringify(value).includes('{{ secrets.')
}
