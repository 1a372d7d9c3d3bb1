/** The input form of a workflow: is its schema one that a form can be made of and an input checked by? */

import { checkedPattern } from './input-pattern.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import { problemOf } from './validation.ts'

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Problems of the schema of a manual start. None and `{}` mean that any input is taken. */
export function inputSchemaProblems(schema: unknown): readonly Problem[] {
  if (!isJsonObject(schema) || Object.keys(schema).length === 0) return []
  if (schema['type'] !== 'object') {
    const message = 'The input form of the workflow doesn’t describe an object.'
    const hint = 'Give the schema "type": "object" and list its fields in "properties".'
    return [problemOf({ code: 'input_schema_not_object', field: 'input.type', message, hint })]
  }
  const problems: Problem[] = []
  visitSchema(schema, 'input', problems)
  return problems
}

function visitSchema(schema: JsonObject, field: string, problems: Problem[]): void {
  const type = schema['type']
  const named: readonly JsonValue[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  for (const name of named) {
    if (typeof name === 'string' && types.includes(name)) continue
    const message = `The input form has a field of the type ${JSON.stringify(name)}, which doesn’t exist.`
    problems.push(faulty(`${field}.type`, message, `Use one of ${types.join(', ')}.`))
  }
  const pattern = schema['pattern']
  if (typeof pattern === 'string' && checkedPattern(pattern) === null) {
    const message = `The pattern ${JSON.stringify(pattern)} of the input form can’t be checked safely.`
    problems.push(faulty(`${field}.pattern`, message, 'Write a simpler pattern without nested repetitions.'))
  }
  const properties = schema['properties']
  if (properties !== undefined && !isJsonObject(properties)) {
    problems.push(
      faulty(
        `${field}.properties`,
        '“properties” of the input form is not a group of fields.',
        'Correct the schema.',
      ),
    )
  }
  for (const [key, child] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (isJsonObject(child)) visitSchema(child, `${field}.properties.${key}`, problems)
  }
  if (isJsonObject(schema['items'])) visitSchema(schema['items'], `${field}.items`, problems)
}

function faulty(field: string, message: string, hint: string): Problem {
  return problemOf({ code: 'input_schema_invalid', field, message, hint })
}
