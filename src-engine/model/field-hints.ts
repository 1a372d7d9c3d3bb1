/**
 * What the fields of a kind's parameters mean: which texts are bare expressions, which are code of their
 * own, and which may hold `{{ }}`. Read from the hints that specs put on their zod fields.
 */

import type { z } from 'zod'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { SchemaCursor } from './schema-walk.ts'
import { inputJsonSchema, schemaCursor, stepInto, variantsAt } from './schema-walk.ts'
import type { FieldHints } from './task-spec.ts'

export type FieldPath = readonly (string | number)[]

/** `expression`: the whole text is one. `code`: left alone. `template`: may hold `{{ }}`. */
export type TextRole = 'expression' | 'code' | 'template'

/** A text somewhere in a node's parameters. */
export interface FieldText {
  readonly path: FieldPath
  readonly text: string
  readonly role: TextRole
  readonly hints: FieldHints
}

const hintKeys = [
  'title',
  'description',
  'widget',
  'language',
  'placeholder',
  'group',
  'expressions',
  'secret',
] as const satisfies readonly (keyof FieldHints)[]

/** The hints of the field at a path; empty for an unknown one. `parameters` picks the members of unions. */
export function fieldHintsAt(schema: z.ZodType, path: FieldPath, parameters: JsonValue = {}): FieldHints {
  let cursors: readonly SchemaCursor[] = [schemaCursor(inputJsonSchema(schema))]
  let value: JsonValue | undefined = parameters
  let inherited: FieldHints = {}
  for (const key of path) {
    inherited = inheritedHints(hintsOf(cursors, value, inherited))
    cursors = cursors.flatMap((cursor) => stepInto(cursor, value, key))
    value = childOf(value, key)
  }
  return hintsOf(cursors, value, inherited)
}

/** What a text with these hints is to the engine. */
export function textRole(hints: FieldHints): TextRole {
  if (hints.widget === 'expression') return 'expression'
  return hints.expressions === false ? 'code' : 'template'
}

/** The role of the text at a path. */
export function textRoleAt(schema: z.ZodType, path: FieldPath, parameters: JsonValue = {}): TextRole {
  return textRole(fieldHintsAt(schema, path, parameters))
}

/** Every text inside raw parameters with its role, in document order; lists and records are walked too. */
export function fieldTexts(parameters: JsonObject, schema: z.ZodType): readonly FieldText[] {
  const texts: FieldText[] = []
  const cursors = [schemaCursor(inputJsonSchema(schema))]
  visitTexts(parameters, { cursors, path: [], inherited: {}, found: texts })
  return texts
}

/** The texts of parameters whose kind is unknown: all may hold `{{ }}`. */
export function untypedTexts(parameters: JsonObject): readonly FieldText[] {
  const texts: FieldText[] = []
  visitTexts(parameters, { cursors: [], path: [], inherited: {}, found: texts })
  return texts
}

/** A path as people read it: `headers[0].value`. */
export function fieldPathText(path: FieldPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

interface TextVisit {
  readonly cursors: readonly SchemaCursor[]
  readonly path: FieldPath
  readonly inherited: FieldHints
  readonly found: FieldText[]
}

function visitTexts(value: JsonValue, visit: TextVisit): void {
  const hints = hintsOf(visit.cursors, value, visit.inherited)
  if (typeof value === 'string') {
    visit.found.push({ path: visit.path, text: value, role: textRole(hints), hints })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const entries: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((item: JsonValue, index) => [index, item] as const)
    : Object.entries(value)
  const inherited = inheritedHints(hints)
  for (const [key, item] of entries) {
    const cursors = visit.cursors.flatMap((cursor) => stepInto(cursor, value, key))
    visitTexts(item, { cursors, path: [...visit.path, key], inherited, found: visit.found })
  }
}

/** What a container says about engine expressions and secrets holds for what is in it. */
function inheritedHints(hints: FieldHints): FieldHints {
  return {
    ...(hints.expressions === undefined ? {} : { expressions: hints.expressions }),
    ...(hints.secret === undefined ? {} : { secret: hints.secret }),
  }
}

/** The hints of every schema that may describe the value; the first that says something wins. */
function hintsOf(
  cursors: readonly SchemaCursor[],
  value: JsonValue | undefined,
  inherited: FieldHints,
): FieldHints {
  const own: Record<string, unknown> = {}
  for (const cursor of cursors) {
    for (const schema of variantsAt(cursor, value)) {
      for (const key of hintKeys)
        if (own[key] === undefined && schema[key] !== undefined) own[key] = schema[key]
    }
  }
  // The keys are those of FieldHints; their values come from our own specs.
  return { ...inherited, ...(own as FieldHints) }
}

function childOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key]
  return undefined
}
