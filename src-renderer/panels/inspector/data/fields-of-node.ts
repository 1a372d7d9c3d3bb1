/** The fields of a node's form that take a value, for choosing one with the keyboard. Pure. */

import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../../src-engine/model/schema-walk.ts'
import type { TaskSpec } from '../../../../src-engine/model/task-spec.ts'
import type { WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import type { FormField } from '../../../forms/schema-fields.ts'
import { countingFields, fieldsOf, plainText } from '../../../forms/schema-fields.ts'
import { takesValue } from '../../../forms/take-value.ts'

export interface FieldPlace {
  /** As its row is called: `parameters.url`. */
  readonly path: string
  readonly title: string
  /** What is in it now, in one line; empty for nothing. */
  readonly now: string
}

/** In the form's order; fields of an object stand with it. */
export function fieldsToFill(
  node: Pick<WorkflowNode, 'parameters'>,
  spec: Pick<TaskSpec, 'parameters'> | undefined,
): readonly FieldPlace[] {
  if (spec === undefined) return []
  return placesIn(inputJsonSchema(spec.parameters), node.parameters ?? {}, 'parameters')
}

function placesIn(schema: JsonObject, values: JsonObject, path: string): readonly FieldPlace[] {
  return countingFields(fieldsOf(schema), values).flatMap((field) => placesOf(field, values, path))
}

function placesOf(field: FormField, values: JsonObject, path: string): readonly FieldPlace[] {
  const value = values[field.key]
  const own = `${path}.${field.key}`
  if (field.kind === 'object') {
    const inside = placesIn(field.schema, isJsonObject(value) ? value : {}, own)
    return inside.map((place) => ({ ...place, title: `${field.title}: ${place.title}` }))
  }
  if (!takesValue(field)) return []
  return [{ path: own, title: field.title, now: value === undefined ? '' : plainText(value).slice(0, 80) }]
}
