/** The fields that a JSON Schema of an object describes, as a form of zod: what people wrote becomes a kind's parameters. */

import { z } from 'zod'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { validateInput } from './validate-input.ts'

/** A field per property, in the schema's order. The schema is one that `inputSchemaProblems` takes. */
export function schemaShape(schema: JsonObject): Readonly<Record<string, z.ZodType>> {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  )
  return Object.fromEntries(fields.map(([key, child]) => [key, fieldOf(child, required.includes(key))]))
}

/** What fields begin with. */
export function schemaDefaults(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const given = Object.entries(properties).flatMap(([key, child]): [string, JsonValue][] => {
    const value = isJsonObject(child) ? child['default'] : undefined
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(given)
}

function fieldOf(schema: JsonObject, isRequired: boolean): z.ZodType {
  const { default: usual, ...rest } = schema
  const field = z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined) {
        context.addIssue({ code: 'custom', message: 'is missing' })
        return
      }
      // Parameters are JSON by their making.
      for (const clause of clausesOf(schema, value as JsonValue))
        context.addIssue({ code: 'custom', message: clause })
    })
    .meta(rest)
  if (usual !== undefined) return field.default(usual)
  return isRequired ? field : field.optional()
}

/** What is wrong with a value, without the name of its field. */
function clausesOf(schema: JsonObject, value: JsonValue): readonly string[] {
  const { problems } = validateInput({ type: 'object', properties: { value: schema } }, { value })
  return problems.map(({ message }) => message.replace(/^“[^”]*” /, '').replace(/\.$/, ''))
}
