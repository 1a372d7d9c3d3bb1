/** A task that calls a workflow may ask for its input field by field: the form of that, and what comes of what is given. */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { callKind } from './pinned-versions.ts'
import { schemaDefaults } from './schema-shape.ts'
import { inputSchemaProblems } from './validate-input-schema.ts'

/** What of a task counts here. */
interface Formed {
  readonly based: { readonly kind: string; readonly parameters: JsonObject }
  readonly open: readonly string[]
  readonly inputForm?: JsonObject | undefined
}

/** As any fault of a task file. */
interface FormFault {
  readonly path: readonly string[]
  readonly message: string
}

/** The names of the fields; none for a task without such a form. */
function formKeys({ inputForm }: Pick<Formed, 'inputForm'>): readonly string[] {
  const properties = inputForm?.['properties']
  return isJsonObject(properties) ? Object.keys(properties) : []
}

/** What is wrong with the form; null for nothing. */
export function inputFormFault(task: Formed): FormFault | null {
  const { inputForm, based, open } = task
  if (inputForm === undefined) return null
  const fault = (message: string): FormFault => ({ path: ['inputForm'], message })
  if (based.kind !== callKind) return fault('Only a task that calls a sub-workflow has an input of its own.')
  const [problem] = inputSchemaProblems(inputForm)
  if (problem !== undefined) return fault(problem.message)
  if (open.includes('input') || based.parameters['input'] !== undefined)
    return fault('Its fields are the input: “input” can’t be given beside them.')
  const twice = formKeys(task).find((key) => open.includes(key))
  return twice === undefined ? null : fault(`“${twice}” is a field of the input and an open parameter.`)
}

/** What a step gives, apart: parameters of the kind, and the input that its fields are together. */
export function apartFromForm(
  task: Formed,
  given: JsonObject,
): { readonly own: JsonObject; readonly input: JsonObject | null } {
  const { inputForm } = task
  if (inputForm === undefined) return { own: given, input: null }
  const keys = new Set(formKeys(task))
  const entries = Object.entries(given)
  const fields = entries.filter(([key]) => keys.has(key))
  return {
    own: Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    input: { ...schemaDefaults(inputForm), ...Object.fromEntries(fields) },
  }
}

/** What each field reads where a step said its input as one expression. */
export function fieldsOfInput(task: Pick<Formed, 'inputForm'>, input: JsonValue | undefined): JsonObject {
  if (isJsonObject(input)) return input
  const source = typeof input === 'string' && input.trim() !== '' ? `(${input.trim()})` : 'input'
  return Object.fromEntries(formKeys(task).map((key) => [key, `{{ ${source}.\`${key}\` }}`]))
}
