/** What came out of a text, as JSON has it: bounded, and without names that reach into the machinery of objects. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { dataValuesMax, nestingMax } from '../../model/limits.ts'

/** Characters of a text that is read in one go. */
const textLengthMax = 10_000_000
const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws `data_invalid` for what is too deep, too much, has a forbidden name, or has no form in JSON. */
export function plainData(value: unknown): JsonValue {
  return plain(value, 0, { left: dataValuesMax })
}

function plain(value: unknown, depth: number, values: { left: number }): JsonValue {
  values.left -= 1
  if (values.left < 0) throw invalidData(`it holds more than ${dataValuesMax} values`)
  if (depth > nestingMax) throw invalidData(`it is nested more than ${nestingMax} deep`)
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1, values))
  if (typeof value !== 'object') throw invalidData('it holds something that is no data')
  const data: Record<string, JsonValue> = {}
  for (const [name, item] of Object.entries(value)) {
    if (forbiddenNames.has(name)) throw invalidData(`“${name}” can’t be a name`)
    data[name] = plain(item, depth + 1, values)
  }
  return data
}

/** Refuses a text that is too long to be read in one go. */
export function checkLength(text: string, charsMax = textLengthMax): void {
  if (text.length > charsMax) {
    throw new SagasmithError('payload_too_large', {
      message: `The text has ${text.length} characters; up to ${charsMax} are read in one go.`,
      hint: 'Split it, or work on the file with a command.',
    })
  }
}

/** The text is not what it should be. `why` is a clause: “line 3: …”. */
export function invalidData(why: string, cause: unknown = null): SagasmithError {
  return new SagasmithError('data_invalid', { message: `The text can’t be read: ${why}.`, cause })
}
