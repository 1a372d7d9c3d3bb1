/** Parameters as they stand against their kind's schema: fields that hold expressions aren't typed yet. */

import type { z } from 'zod'
import type { FieldPath } from './field-hints.ts'
import { fieldHintsAt, fieldPathText, fieldTexts, textRole } from './field-hints.ts'
import type { SchemaIssue } from './issue-words.ts'
import { isMissing, issueClause } from './issue-words.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import { hasExpression } from './template.ts'
import { problemOf } from './validation.ts'

export interface ParameterOwner {
  readonly schema: z.ZodType
  readonly parameters: JsonObject
  /** Who has the parameters, as a person knows it; asked only when something is wrong with them. */
  readonly name: () => string
  /** Where they stand: `parameters`, `compensation.task.parameters`. */
  readonly field: string
  readonly nodeId: Problem['nodeId']
}

/** Parameters that are missing or of the wrong form. */
export function parameterProblems(owner: ParameterOwner): readonly Problem[] {
  const parsed = owner.schema.safeParse(owner.parameters)
  if (parsed.success) return []
  return parsed.error.issues
    .filter((issue) => !isUndecided(owner, issue))
    .map((issue) => toProblem(owner, issue))
}

/** The name of a field for people: the title of its form, else its key in words. */
export function fieldTitle(schema: z.ZodType, path: FieldPath, parameters: JsonObject): string {
  const { title } = fieldHintsAt(schema, path, parameters)
  const key = path.findLast((part) => typeof part === 'string')
  const text = title ?? (key === undefined ? 'Parameters' : words(key))
  const index = path.findLast((part) => typeof part === 'number')
  return index === undefined ? text : `${text} (entry ${index + 1})`
}

function toProblem(owner: ParameterOwner, issue: SchemaIssue): Problem {
  const path = pathOf(issue)
  const missing = isMissing(issue) || (valueAt(owner.parameters, path) === undefined && path.length > 0)
  const title = fieldTitle(owner.schema, path, owner.parameters)
  const below = fieldPathText(path)
  return problemOf({
    code: missing ? 'missing_parameter' : 'wrong_parameter',
    nodeId: owner.nodeId,
    field: below === '' ? owner.field : `${owner.field}.${below}`,
    message: `${owner.name()}: “${title}” ${missing ? 'is missing' : issueClause(issue)}.`,
    hint: missing
      ? `Fill in “${title}”.`
      : issue.code === 'unrecognized_keys'
        ? surplusHint(owner.schema, path, title)
        : correction(owner, path, title),
  })
}

/** Of what isn't known, which names are: it may be misspelled. */
function surplusHint(schema: z.ZodType, path: FieldPath, title: string): string {
  const names = path.length === 0 && 'shape' in schema ? Object.keys(schema.shape as object) : []
  if (names.length === 0) return `Take it out of “${title}”.`
  return `Take it out, or give it one of these names: ${names.join(', ')}.`
}

/** Only steps have expressions in their fields, and not in all of them. */
function correction({ schema, parameters, nodeId }: ParameterOwner, path: FieldPath, title: string): string {
  const takesTemplate = nodeId !== null && textRole(fieldHintsAt(schema, path, parameters)) === 'template'
  return takesTemplate
    ? `Correct “${title}”, or use an expression in {{ }} that gives such a value.`
    : `Correct “${title}”.`
}

/** Whether an expression decides about the value only when the node runs. */
function isUndecided(owner: ParameterOwner, issue: SchemaIssue): boolean {
  const path = pathOf(issue)
  const value = valueAt(owner.parameters, path)
  if (typeof value === 'string') return isResolvedLater(owner, path, value)
  if (typeof value !== 'object' || value === null) return false
  // A rule over a whole group can't be judged while a part of it is unknown; its size and keys can.
  if (issue.code !== 'invalid_union' && issue.code !== 'custom') return false
  return fieldTexts(owner.parameters, owner.schema).some(
    (text) =>
      path.every((key, index) => text.path[index] === key) && isResolvedLater(owner, text.path, text.text),
  )
}

function isResolvedLater(owner: ParameterOwner, path: FieldPath, text: string): boolean {
  const role = textRole(fieldHintsAt(owner.schema, path, owner.parameters))
  if (role === 'expression') return text.trim() !== ''
  return role === 'template' && hasExpression(text)
}

function pathOf(issue: SchemaIssue): FieldPath {
  return issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
}

function valueAt(value: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let at: JsonValue | undefined = value
  for (const key of path) {
    if (Array.isArray(at)) at = typeof key === 'number' ? at[key] : undefined
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}

/** `maxItems` → `Max items`. */
function words(key: string): string {
  const spaced = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
