/**
 * Checks the input of a manual start against the workflow's JSON Schema, and fills in its defaults. The
 * subset that forms are made of: type, required, enum, const, bounds, lengths, pattern, a few formats,
 * properties, additionalProperties, items. Other keywords are left to the reader.
 */

import type { FieldPath } from './field-hints.ts'
import { fieldPathText } from './field-hints.ts'
import { checkedPattern, patternTextLengthMax } from './input-pattern.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { canonicalJson, isJsonObject } from './json.ts'
import { nestingMax } from './limits.ts'
import type { Problem } from './problem.ts'
import { problemOf } from './validation.ts'

export interface CheckedInput {
  /** The input with defaults in place of what was absent. */
  readonly value: JsonValue
  readonly problems: readonly Problem[]
}

/** Entries that are reported; one wrong column of a long list has one cause. */
const problemsMax = 100

interface Check {
  readonly path: FieldPath
  readonly problems: Problem[]
}

/** The input with its defaults, and what is wrong with it. No schema takes any input. */
export function validateInput(inputSchema: JsonObject | null | undefined, input: JsonValue): CheckedInput {
  if (inputSchema === null || inputSchema === undefined) return { value: input, problems: [] }
  const problems: Problem[] = []
  const value = checkValue(inputSchema, input, { path: [], problems })
  return { value, problems: problems.slice(0, problemsMax) }
}

function checkValue(schema: JsonObject, value: JsonValue, check: Check): JsonValue {
  if (check.path.length > nestingMax || check.problems.length > problemsMax) return value
  const type = schema['type']
  const types: readonly JsonValue[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((name) => hasType(value, name))) {
    report(check, schema, `must be ${types.map(typeInWords).join(' or ')}`)
    return value
  }
  checkChoices(schema, value, check)
  if (typeof value === 'number') checkNumber(schema, value, check)
  if (typeof value === 'string') checkText(schema, value, check)
  if (Array.isArray(value)) return checkList(schema, value, check)
  return isJsonObject(value) ? checkObject(schema, value, check) : value
}

function typeInWords(name: JsonValue): string {
  return typeof name === 'string' ? (typeNames[name] ?? name) : JSON.stringify(name)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a group of fields',
  null: 'empty',
}

function hasType(value: JsonValue, name: JsonValue): boolean {
  switch (name) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === name
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'null':
      return value === null
    default:
      // An unknown type is a problem of the schema, not of the input.
      return true
  }
}

function checkChoices(schema: JsonObject, value: JsonValue, check: Check): void {
  const choices = schema['const'] === undefined ? schema['enum'] : [schema['const']]
  if (!Array.isArray(choices)) return
  const text = canonicalJson(value)
  if (choices.some((choice: JsonValue) => canonicalJson(choice) === text)) return
  const shown = choices.slice(0, 8).map((choice: JsonValue) => JSON.stringify(choice))
  report(check, schema, `must be one of ${shown.join(', ')}${choices.length > 8 ? ', …' : ''}`)
}

function checkNumber(schema: JsonObject, value: number, check: Check): void {
  const bound = (key: string): number | null => {
    const limit = schema[key]
    return typeof limit === 'number' ? limit : null
  }
  const minimum = bound('minimum')
  const maximum = bound('maximum')
  const above = bound('exclusiveMinimum')
  const below = bound('exclusiveMaximum')
  const step = bound('multipleOf')
  if (minimum !== null && value < minimum) report(check, schema, `must be at least ${minimum}`)
  if (maximum !== null && value > maximum) report(check, schema, `must be at most ${maximum}`)
  if (above !== null && value <= above) report(check, schema, `must be more than ${above}`)
  if (below !== null && value >= below) report(check, schema, `must be less than ${below}`)
  if (step !== null && step > 0 && !isMultiple(value, step))
    report(check, schema, `must be a multiple of ${step}`)
}

/** 0.3 is a multiple of 0.1, although not in binary. */
function isMultiple(value: number, step: number): boolean {
  const ratio = value / step
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio))
}

const formats: Readonly<Record<string, { readonly name: string; readonly pattern: RegExp }>> = {
  email: { name: 'an e-mail address', pattern: /^[^\s@]{1,64}@[^\s@]{1,255}$/ },
  uri: { name: 'an address such as https://example.com', pattern: /^[a-z][a-z0-9+.-]*:\S+$/i },
  date: { name: 'a date such as 2025-03-31', pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/ },
  time: { name: 'a time such as 14:30:00', pattern: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?/ },
  'date-time': {
    name: 'a date and time such as 2025-03-31T14:30:00Z',
    pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d/,
  },
}

function checkText(schema: JsonObject, value: string, check: Check): void {
  const { minLength, maxLength, format } = schema
  // JSON Schema counts code points.
  const length = typeof minLength === 'number' || typeof maxLength === 'number' ? Array.from(value).length : 0
  if (typeof minLength === 'number' && length < minLength) {
    report(
      check,
      schema,
      minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    )
  }
  if (typeof maxLength === 'number' && length > maxLength) {
    report(check, schema, `must have at most ${maxLength} characters`)
  }
  checkPattern(schema, value, check)
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  if (known === undefined) return
  if (value.length > patternTextLengthMax || !known.pattern.test(value) || !isDay(format, value)) {
    report(check, schema, `must be ${known.name}`)
  }
}

/** The 31st of April has the form of a date but isn't one. */
function isDay(format: JsonValue | undefined, value: string): boolean {
  if (format !== 'date' && format !== 'date-time') return true
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split('-').map(Number)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (days[month - 1] ?? 0)
}

function checkPattern(schema: JsonObject, value: string, check: Check): void {
  const source = schema['pattern']
  if (typeof source !== 'string') return
  const pattern = checkedPattern(source)
  // A pattern that can't be run is reported with the workflow, where it can be corrected.
  if (pattern === null) return
  if (value.length <= patternTextLengthMax && pattern.test(value)) return
  report(check, schema, `does not have the expected form (${pattern.source})`)
}

function checkList(schema: JsonObject, items: readonly JsonValue[], check: Check): JsonValue {
  const { minItems, maxItems, items: itemSchema } = schema
  if (typeof minItems === 'number' && items.length < minItems) {
    report(check, schema, `needs at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`)
  }
  if (typeof maxItems === 'number' && items.length > maxItems) {
    report(check, schema, `may have at most ${maxItems} ${maxItems === 1 ? 'entry' : 'entries'}`)
  }
  if (schema['uniqueItems'] === true && new Set(items.map(canonicalJson)).size < items.length) {
    report(check, schema, 'has the same entry twice')
  }
  if (!isJsonObject(itemSchema)) return items
  return items.map((item, index) => checkValue(itemSchema, item, { ...check, path: [...check.path, index] }))
}

function checkObject(schema: JsonObject, value: JsonObject, check: Check): JsonValue {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const complete = withDefaults(properties, value)
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  for (const key of required) {
    if (typeof key !== 'string' || Object.hasOwn(complete, key)) continue
    const child = properties[key]
    report({ ...check, path: [...check.path, key] }, isJsonObject(child) ? child : {}, 'is missing')
  }
  const rest = schema['additionalProperties']
  const entries = Object.entries(complete).map(([key, item]): readonly [string, JsonValue] => {
    const at = { ...check, path: [...check.path, key] }
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (isJsonObject(own)) return [key, checkValue(own, item, at)]
    if (own === undefined && rest === false) report(at, {}, 'is not a field of this form')
    return [key, isJsonObject(rest) ? checkValue(rest, item, at) : item]
  })
  return Object.fromEntries(entries)
}

function withDefaults(properties: JsonObject, value: JsonObject): JsonObject {
  const added = Object.entries(properties).flatMap(
    ([key, child]): readonly (readonly [string, JsonValue])[] => {
      const byDefault = isJsonObject(child) ? child['default'] : undefined
      return byDefault === undefined || Object.hasOwn(value, key) ? [] : [[key, byDefault]]
    },
  )
  return added.length === 0 ? value : { ...value, ...Object.fromEntries(added) }
}

function report(check: Check, schema: JsonObject, clause: string): void {
  const field = fieldPathText(check.path)
  const title = typeof schema['title'] === 'string' ? schema['title'] : field === '' ? 'The input' : field
  check.problems.push(
    problemOf({
      code: clause === 'is missing' ? 'input_missing' : 'input_wrong',
      field: field === '' ? null : field,
      message: `“${title}” ${clause}.`,
      hint: clause === 'is missing' ? `Fill in “${title}”.` : `Correct “${title}”.`,
    }),
  )
}
