/** Checks a value: fails with what is wrong, or goes the way of what doesn't fit. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { isTrue } from '../truth.ts'
import type { ValidateParameters } from './spec.ts'

const namedProblemsMax = 50

/** The words of JSON Schema that are checked, and those that only describe. */
const knownWords: ReadonlySet<string> = new Set([
  ...[
    'type',
    'enum',
    'const',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'pattern',
    'format',
  ],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems'],
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'],
])

export const validateRun: TaskRun<ValidateParameters> = {
  execute(parameters, context) {
    const { check, condition, message, onInvalid } = parameters
    // A parameter's value is JSON by its making.
    const value = (parameters.value ?? null) as JsonValue
    const problems = check === 'schema' ? found(parameters.schema, value) : []
    const isValid = check === 'schema' ? problems.length === 0 : isTrue(condition)
    if (isValid) return completed(value, onInvalid === 'port' ? ['valid'] : null)
    const said = message !== '' ? message : (problems[0]?.message ?? 'The condition is not true.')
    const told = problems.slice(0, namedProblemsMax).map((problem) => ({ ...problem }))
    context.log({ level: 'warn', stream: 'task', text: said })
    if (onInvalid === 'port') return completed({ value, message: said, problems: told }, ['invalid'])
    throw new SagasmithError('value_invalid', {
      message: said,
      details: { count: problems.length, problems: told },
    })
  },
}

function found(given: unknown, value: JsonValue) {
  return validateInput(refuseUnknownWords((given ?? null) as JsonValue), value).problems
}

/** The schema, when each of its words is one that is checked. Throws `task_input_invalid` otherwise. */
export function refuseUnknownWords(schema: JsonValue): JsonObject {
  if (isJsonObject(schema)) {
    refuseUnknown(schema, [])
    return schema
  }
  throw new SagasmithError('task_input_invalid', {
    message: 'The schema is no JSON Schema: it must be an object.',
    details: { field: 'schema' },
  })
}

/** A word that nobody checks would let everything through. */
function refuseUnknown(schema: JsonObject, path: readonly string[]): void {
  const unknown = Object.keys(schema).find((word) => !knownWords.has(word))
  if (unknown !== undefined) {
    throw new SagasmithError('task_input_invalid', {
      message: `The schema uses “${unknown}”${path.length === 0 ? '' : ` at ${path.join('.')}`}, which is not checked here.`,
      hint: 'Say it with type, properties, required, items, enum and bounds, or use a condition.',
      details: { field: 'schema', word: unknown },
    })
  }
  const { properties, items, additionalProperties } = schema
  for (const [name, one] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (isJsonObject(one)) refuseUnknown(one, [...path, name])
  }
  for (const one of [items, additionalProperties]) if (isJsonObject(one)) refuseUnknown(one, [...path, '[]'])
}
