/** Places of a value that are taken out of it before anybody writes it down: `customer.email`, `items.*.token`. */

import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** What stands where something was taken out. */
export const redactedMark = '[REDACTED]'

/** Names from the outermost in; `*` stands for every item of a list, or every field of an object. */
export type RedactPath = readonly string[]

const everything = '*'
/** A name, or one in backticks, which may hold anything else. */
const part = /^(?:`([^`]+)`|([^.`[\]\s]+))$/
const parts = /(?:`[^`]*`|[^.`])+/g

/** The path that a text names; null for what is none. `$` alone is all of the value. */
export function redactPathOf(text: string): RedactPath | null {
  const path = text.trim().replace(/^\$(?:\.|$)/, '')
  if (path === '') return text.trim() === '$' ? [] : null
  const found = path.match(parts) ?? []
  if (found.join('.') !== path) return null
  const names = found.map((name) => part.exec(name))
  return names.every((name) => name !== null) ? names.map((name) => name[1] ?? name[2] ?? '') : null
}

/** The value without what stands at the paths, and the texts that were there. */
export interface Redacted {
  readonly value: JsonValue
  readonly taken: readonly string[]
}

export function redactAt(value: JsonValue, paths: readonly RedactPath[]): Redacted {
  const taken = new Set<string>()
  const made = paths.reduce((left, path) => without(left, path, taken), value)
  return { value: made, taken: [...taken] }
}

function without(value: JsonValue, path: RedactPath, taken: Set<string>): JsonValue {
  const [name, ...rest] = path
  if (name === undefined) {
    noteTexts(value, taken)
    return redactedMark
  }
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) =>
      name === everything || name === String(index) ? without(item, rest, taken) : item,
    )
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      name === everything || name === key ? without(item, rest, taken) : item,
    ]),
  )
}

function noteTexts(value: JsonValue, taken: Set<string>): void {
  if (typeof value === 'string' && value !== redactedMark) taken.add(value)
  else if (typeof value === 'number') taken.add(String(value))
  else if (Array.isArray(value)) for (const item of value) noteTexts(item as JsonValue, taken)
  else if (isJsonObject(value)) for (const item of Object.values(value)) noteTexts(item, taken)
}

/** Shorter texts are part of too many words to be taken out of them. */
const takenCharsMin = 4

/** Takes texts that stood at such places out of other texts that may quote them. */
export function takingOut(taken: readonly string[]): (text: string) => string {
  const longestFirst = taken
    .filter(({ length }) => length >= takenCharsMin)
    .toSorted((left, right) => right.length - left.length)
  return (text) => longestFirst.reduce((left, found) => left.replaceAll(found, redactedMark), text)
}

/** A value with each of its texts changed, and each number that is no longer what it says. */
export function eachText(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (typeof value === 'number') return change(String(value)) === String(value) ? value : redactedMark
  if (Array.isArray(value)) return value.map((item: JsonValue) => eachText(item, change))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachText(item, change)]))
}
