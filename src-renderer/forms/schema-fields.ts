/**
 * From a JSON Schema to form fields, as data. A task needs no code in the designer: its zod schema says
 * what its form looks like. Every field may hold an expression, whatever its type; that is why the form
 * reads the schema itself instead of forcing values into their types. Pure.
 */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { spanText } from '../../src-engine/model/summary.ts'

export type FieldKind =
  | 'text'
  | 'multiline'
  | 'path'
  | 'workflow'
  | 'version'
  | 'cluster'
  | 'code'
  | 'expression'
  | 'number'
  | 'duration'
  | 'switch'
  | 'select'
  | 'choices'
  | 'key-value'
  | 'list'
  | 'object'
  | 'union'

/** One value of a `select`. */
export interface Choice {
  readonly value: JsonValue
  readonly title: string
  /** What choosing it means; null where the title says it all. */
  readonly hint: string | null
}

export interface FormField {
  readonly key: string
  readonly title: string
  readonly description: string | null
  readonly placeholder: string | null
  /** Null for the fields that stand first, unfolded. */
  readonly group: string | null
  readonly kind: FieldKind
  readonly isRequired: boolean
  readonly defaultValue: JsonValue | undefined
  readonly schema: JsonObject
  /** For `code` and `expression`. */
  readonly language: string | null
  /** Whether `{{ }}` means something in it. */
  readonly takesExpressions: boolean
  /** For `select`, and for `choices`, which takes any number of them. */
  readonly choices: readonly Choice[]
  /** Where the default comes from, in a few words; null in forms that don't tell. */
  readonly origin: string | null
  /** What of the step's own end an expression in it may read, too. */
  readonly sees: EndSeen | null
}

/** What a step gave, or why it failed. */
export type EndSeen = 'output' | 'error'

export interface FieldGroup {
  readonly title: string | null
  readonly fields: readonly FormField[]
}

const kindByWidget: Readonly<Record<string, FieldKind>> = {
  code: 'code',
  expression: 'expression',
  multiline: 'multiline',
  'key-value': 'key-value',
  choices: 'choices',
  path: 'path',
  folder: 'path',
  workflow: 'workflow',
  'workflow-version': 'version',
  cluster: 'cluster',
  duration: 'duration',
}

/** Whether its text is the bare name of a secret. */
export const holdsSecretName = ({ schema }: FormField): boolean => schema['widget'] === 'secret-name'

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: JsonObject): readonly FormField[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]) && !('const' in entry[1]))
    .map(([key, property]) => fieldOf(key, property, required.includes(key)))
}

/** One field for one schema. */
export function fieldOf(key: string, schema: JsonObject, isRequired: boolean): FormField {
  return {
    key,
    title: textOf(schema['title']) ?? key,
    description: textOf(schema['description']),
    placeholder: textOf(schema['placeholder']),
    group: textOf(schema['group']),
    kind: kindOf(schema),
    isRequired,
    defaultValue: schema['default'],
    schema,
    language: textOf(schema['language']),
    takesExpressions: schema['expressions'] !== false,
    choices: choicesOf(isSeveral(schema) ? schema['items'] : schema),
    origin: textOf(schema['origin']),
    sees: schema['sees'] === 'output' || schema['sees'] === 'error' ? schema['sees'] : null,
  }
}

/**
 * The fields that mean something with these values: `when` in a field's schema names the fields beside it
 * and their values or least number, or several such ways. What an expression will give isn't known, so it
 * hides nothing; neither is hidden what has a problem, for it has to be found.
 */
export function countingFields(
  fields: readonly FormField[],
  values: JsonObject,
  isWrong: (key: string) => boolean = () => false,
): readonly FormField[] {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const holds = (when: JsonObject): boolean =>
    Object.entries(when).every(([key, wanted]) => {
      const value = values[key] ?? byKey.get(key)?.defaultValue
      if (isExpressionText(value)) return true
      if (typeof wanted === 'number') return Number(value) >= wanted
      return Array.isArray(wanted) && wanted.includes(value ?? null)
    })
  return fields.filter(({ key, schema: { when } }) => {
    if (isWrong(key)) return true
    if (Array.isArray(when)) return when.filter(isJsonObject).some(holds)
    return !isJsonObject(when) || holds(when)
  })
}

/** Fields of code whose language another field says, in the language of these values. */
export function inTheirLanguage(fields: readonly FormField[], values: JsonObject): readonly FormField[] {
  return fields.map((field) => {
    const key = textOf(field.schema['languageFrom'])
    const beside = key === null ? undefined : fields.find((one) => one.key === key)
    return beside === undefined
      ? field
      : { ...field, language: textOf(values[beside.key] ?? beside.defaultValue) }
  })
}

/** The value that counts, in words; null where no words tell it. */
export function valueWords({ kind, choices, schema }: FormField, value: JsonValue): string | null {
  if (kind === 'select') return choices.find((one) => one.value === value)?.title ?? plainText(value)
  if (kind === 'duration') return typeof value === 'number' ? spanText(value) : null
  if (kind === 'switch') return value === true ? 'on' : 'off'
  if (kind === 'number') return plainText(value)
  return kind === 'text' && schema['type'] === 'string' && value !== '' ? plainText(value) : null
}

/** The fields in groups: first those without one, then each group in the order of its first field. */
export function groupsOf(fields: readonly FormField[]): readonly FieldGroup[] {
  const byTitle = Map.groupBy(fields, (field) => field.group)
  const ungrouped = byTitle.get(null) ?? []
  const titled = [...byTitle]
    .filter(([title]) => title !== null)
    .map(([title, own]) => ({ title, fields: own }))
  return ungrouped.length === 0 ? titled : [{ title: null, fields: ungrouped }, ...titled]
}

/** What a schema looks like as a field. A hint wins, then the form of the schema. */
export function kindOf(schema: JsonObject): FieldKind {
  const hinted = kindByWidget[textOf(schema['widget']) ?? '']
  if (hinted !== undefined) return hinted
  if (Array.isArray(schema['enum'])) return 'select'
  if (variantsOf(schema).length > 0) return 'union'
  switch (schema['type']) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return 'list'
    case 'object':
      return isJsonObject(schema['properties']) ? 'object' : 'key-value'
    default:
      return 'text'
  }
}

export interface UnionVariant {
  readonly title: string
  /** The property that tells the variants apart, and its value here. */
  readonly tag: string
  readonly value: JsonValue
  readonly schema: JsonObject
}

/** The members of a union that are told apart by a constant; none for other unions. */
export function variantsOf(schema: JsonObject): readonly UnionVariant[] {
  const members = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(members)) return []
  const variants = members.map(variantOf)
  return variants.every((variant) => variant !== null) ? variants : []
}

/** What a new entry of a list starts with. */
export function emptyItem(schema: JsonObject): JsonValue {
  const items = isJsonObject(schema['items']) ? schema['items'] : {}
  const kind = kindOf(items)
  if (kind === 'object') return {}
  if (kind === 'list') return []
  return items['default'] ?? ''
}

/** Whether a value is an expression where the field's type would want something else. */
export function isExpressionText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.includes('{{')
}

/** The object without a key when the value is `undefined`, else with it. */
export function withField(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  const { [key]: _before, ...rest } = object
  if (value === undefined) return rest
  // A key that was there keeps its place.
  return key in object ? { ...object, [key]: value } : { ...rest, [key]: value }
}

/** Whether it holds any number of a few values. */
const isSeveral = (schema: JsonObject): boolean => schema['widget'] === 'choices'

function choicesOf(schema: JsonValue | undefined): readonly Choice[] {
  if (!isJsonObject(schema) || !Array.isArray(schema['enum'])) return []
  const words = isJsonObject(schema['choices']) ? schema['choices'] : {}
  return schema['enum'].map((value) => {
    const own = words[plainText(value)]
    if (!isJsonObject(own)) return { value, title: plainText(value), hint: null }
    return { value, title: textOf(own['title']) ?? plainText(value), hint: textOf(own['hint']) }
  })
}

function variantOf(member: JsonValue): UnionVariant | null {
  if (!isJsonObject(member) || !isJsonObject(member['properties'])) return null
  for (const [tag, property] of Object.entries(member['properties'])) {
    if (!isJsonObject(property) || property['const'] === undefined) continue
    const value = property['const']
    return { tag, value, title: textOf(member['title']) ?? plainText(value), schema: member }
  }
  return null
}

/** A value in one line: text as it is, anything else as JSON. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** The schema of values that are what they are: `{{ }}` means nothing in them. */
export function fixedValues(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const fixed = Object.entries(properties).map(([key, property]) => [
    key,
    isJsonObject(property) ? { ...property, expressions: false } : property,
  ])
  return { ...schema, properties: Object.fromEntries(fixed) as JsonObject }
}
