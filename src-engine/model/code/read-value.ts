/**
 * Values written in code, read without running anything: texts, numbers (also reckoned: `15 * 60_000`), lists,
 * objects, `kept(…)`, `extra(…)`. JSON is a part of it. Whatever only a run would give is refused, with its place.
 */

import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { nestingMax } from '../limits.ts'
import type { CodeReader } from './code-reader.ts'
import {
  beyond,
  broken,
  expectMark,
  nextCharacter,
  peekWord,
  readNumber,
  readText,
  shown,
  skipTrivia,
  takeMark,
} from './code-reader.ts'
import { extraFunction, keepFunction } from './workflow-definition.ts'

/** Where something stands in a text: indices, the end after its last character. */
export interface CodeSpan {
  readonly start: number
  readonly end: number
}

/** Where values stand, by their path (`pathKey`), each with its key. */
export type CodePlaces = Map<string, CodeSpan>

/** The key of a path in a map of places. */
export const pathKey = (path: readonly string[]): string => path.join('\u0000')

/** Deeper values are found by what they stand in. */
const placesDepthMax = 6
/** Beyond the nesting of documents: the call and the definition around one. */
const depthMax = nestingMax + 8

interface Reading extends CodeReader {
  readonly places: CodePlaces | null
  /** Of the value that is read. */
  readonly path: string[]
}

/** Reads the value that comes next, noting where its parts stand. */
export function readValue(reader: CodeReader, places: CodePlaces | null): JsonValue {
  const reading: Reading = { text: reader.text, at: reader.at, places, path: [] }
  const value = sumOf(reading, 0)
  reader.at = reading.at
  return value
}

/** `a + b`, of numbers or texts. */
function sumOf(reading: Reading, depth: number): JsonValue {
  let value = productOf(reading, depth)
  for (;;) {
    const mark = nextCharacter(reading)
    const start = reading.at
    if (mark !== '+' && mark !== '-') return value
    takeSign(reading)
    const right = productOf(reading, depth)
    if (mark === '+' && typeof value === 'string' && typeof right === 'string') value += right
    else {
      const [a, b] = numbersOf(reading, start, [value, right])
      value = finite(reading, start, mark === '+' ? a + b : a - b)
    }
  }
}

/** `a * b`, of numbers. */
function productOf(reading: Reading, depth: number): JsonValue {
  let value = singleOf(reading, depth)
  for (;;) {
    const mark = nextCharacter(reading)
    const start = reading.at
    if ((mark !== '*' && mark !== '/') || reading.text.startsWith('**', start)) return ended(reading, value)
    reading.at += 1
    const [a, b] = numbersOf(reading, start, [value, singleOf(reading, depth)])
    value = finite(reading, start, mark === '*' ? a * b : a / b)
  }
}

function numbersOf(
  reading: Reading,
  at: number,
  [a, b]: readonly [JsonValue, JsonValue],
): readonly [number, number] {
  if (typeof a === 'number' && typeof b === 'number') return [a, b]
  return beyond(reading, at, 'only numbers can be reckoned with, and only texts be joined')
}

function finite(reading: Reading, at: number, value: number): number {
  return Number.isFinite(value) ? value : broken(reading, at, 'this number is too large')
}

/** Refuses what follows a value and would make another one of it. */
function ended(reading: Reading, value: JsonValue): JsonValue {
  const word = peekWord(reading)
  if (word === 'as' || word === 'satisfies') beyond(reading, reading.at, 'types are not read back')
  const mark = nextCharacter(reading)
  if (mark !== '' && '.?([&|<>=%*!~^`'.includes(mark)) {
    beyond(reading, reading.at, `what “${mark}” gives is known only when the code runs`)
  }
  return value
}

function singleOf(reading: Reading, depth: number): JsonValue {
  if (depth > depthMax) broken(reading, reading.at, `values are nested deeper than ${nestingMax} levels`)
  const mark = nextCharacter(reading)
  switch (mark) {
    case '{':
      return objectValue(reading, depth)
    case '[':
      return listValue(reading, depth)
    case "'":
    case '"':
    case '`':
      return readText(reading)
    case '-':
    case '+':
      return signed(reading, depth)
    case '(':
      return inBrackets(reading, depth)
    case '':
      return broken(reading, reading.at, 'the code ends where a value is expected')
    default:
      if ((mark >= '0' && mark <= '9') || mark === '.') return readNumber(reading)
      return named(reading, depth)
  }
}

function signed(reading: Reading, depth: number): number {
  const start = reading.at
  const isMinus = reading.text.charAt(start) === '-'
  takeSign(reading)
  const value = singleOf(reading, depth + 1)
  if (typeof value !== 'number') return beyond(reading, start, 'only a number can have a sign')
  return isMinus ? -value : value
}

/** Two of them side by side would count a variable up or down. */
function takeSign(reading: Reading): void {
  const start = reading.at
  reading.at += 1
  if (reading.text.charAt(start) === reading.text.charAt(start + 1)) {
    broken(reading, start, 'two signs stand side by side')
  }
}

function inBrackets(reading: Reading, depth: number): JsonValue {
  reading.at += 1
  if (nextCharacter(reading) === ')') beyond(reading, reading.at, 'functions are not read back')
  const value = sumOf(reading, depth + 1)
  expectMark(reading, ')', 'after the value')
  if (takeMark(reading, '=>')) beyond(reading, reading.at - 2, 'functions are not read back')
  return value
}

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const notValues: ReadonlyMap<string, string> = new Map([
  ['undefined', 'a field without a value is left out: remove it'],
  ['NaN', 'NaN is no value of a workflow'],
  ['Infinity', 'Infinity is no value of a workflow'],
  ['function', 'functions are not read back'],
  ['async', 'functions are not read back'],
  ['new', 'what “new” makes is known only when the code runs'],
  ['await', 'what “await” gives is known only when the code runs'],
])

function named(reading: Reading, depth: number): JsonValue {
  const name = peekWord(reading)
  const start = reading.at
  if (name === '') return broken(reading, start, `a value is expected, but “${shown(reading)}” stands here`)
  const value = words.get(name)
  if (value !== undefined) {
    reading.at += name.length
    return value
  }
  if (isKeeping(name)) return keptValue(reading, name, depth)
  const reason = notValues.get(name) ?? `“${name}” is a name, and its value is known only when the code runs`
  return beyond(reading, start, reason)
}

const isKeeping = (name: string): boolean => name === keepFunction || name === extraFunction

function keptValue(reading: Reading, name: string, depth: number): JsonValue {
  reading.at += name.length
  expectMark(reading, '(', `after ${name}`)
  const value = sumOf(reading, depth + 1)
  takeMark(reading, ',')
  expectMark(reading, ')', `after the value of ${name}`)
  return value
}

function listValue(reading: Reading, depth: number): JsonValue {
  reading.at += 1
  const items: JsonValue[] = []
  while (!takeMark(reading, ']')) {
    const mark = nextCharacter(reading)
    if (mark === ',') broken(reading, reading.at, 'a value is missing before the comma')
    if (reading.text.startsWith('...', reading.at)) beyond(reading, reading.at, 'lists are not spread')
    items.push(placed(reading, { key: String(items.length) }, () => sumOf(reading, depth + 1)))
    if (!takeMark(reading, ',') && nextCharacter(reading) !== ']') expectMark(reading, ',', 'between values')
  }
  return items
}

function objectValue(reading: Reading, depth: number): JsonObject {
  reading.at += 1
  const fields: Record<string, JsonValue> = {}
  while (!takeMark(reading, '}')) {
    if (takeMark(reading, '...')) spread(reading, fields, depth)
    else {
      skipTrivia(reading)
      const start = reading.at
      const key = keyOf(reading)
      const value = placed(reading, { key, start }, () => fieldValue(reading, key, depth))
      setField(reading, fields, { key, value, at: start })
    }
    if (!takeMark(reading, ',') && nextCharacter(reading) !== '}') expectMark(reading, ',', 'between fields')
  }
  return fields
}

function fieldValue(reading: Reading, key: string, depth: number): JsonValue {
  const mark = nextCharacter(reading)
  if (mark === '(') beyond(reading, reading.at, 'functions are not read back')
  if (mark === ',' || mark === '}') {
    beyond(
      reading,
      reading.at,
      `“${key}” alone takes the value of a name, which is known only when the code runs`,
    )
  }
  expectMark(reading, ':', 'after the name of a field')
  return sumOf(reading, depth + 1)
}

/** `...extra({ … })`: fields that have no type. */
function spread(reading: Reading, fields: Record<string, JsonValue>, depth: number): void {
  skipTrivia(reading)
  const start = reading.at
  const name = peekWord(reading)
  if (!isKeeping(name)) beyond(reading, start, `only ${extraFunction}({ … }) can be spread`)
  const value = keptValue(reading, name, depth + 1)
  if (!isJsonObject(value)) return beyond(reading, start, 'only fields of an object can be spread')
  for (const [key, item] of Object.entries(value)) setField(reading, fields, { key, value: item, at: start })
}

function keyOf(reading: Reading): string {
  const mark = nextCharacter(reading)
  if (mark === "'" || mark === '"') return readText(reading)
  if (mark === '[') return bracketKey(reading)
  if (mark >= '0' && mark <= '9') return String(readNumber(reading))
  const name = peekWord(reading)
  if (name === '')
    broken(reading, reading.at, `the name of a field is expected, but “${shown(reading)}” stands here`)
  reading.at += name.length
  const after = nextCharacter(reading)
  if (/^(?:get|set|async)$/.test(name) && after !== ':' && after !== ',' && after !== '}') {
    beyond(reading, reading.at, 'functions are not read back')
  }
  return name
}

function bracketKey(reading: Reading): string {
  reading.at += 1
  const mark = nextCharacter(reading)
  if (mark !== "'" && mark !== '"' && mark !== '`') {
    beyond(reading, reading.at, 'a name in brackets is known only when the code runs')
  }
  const key = readText(reading)
  expectMark(reading, ']', 'after the name of the field')
  return key
}

function setField(
  reading: Reading,
  fields: Record<string, JsonValue>,
  field: { readonly key: string; readonly value: JsonValue; readonly at: number },
): void {
  const { key, value } = field
  if (Object.hasOwn(fields, key)) broken(reading, field.at, `there is a second field “${key}”`)
  // Also one that is named like what all objects have: whoever checks documents refuses it by name.
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Reads a part and notes where it stands; `start` is that of its key. */
function placed(
  reading: Reading,
  { key, start }: { readonly key: string; readonly start?: number },
  read: () => JsonValue,
): JsonValue {
  const { places, path } = reading
  if (places === null || path.length >= placesDepthMax) return read()
  skipTrivia(reading)
  const from = start ?? reading.at
  path.push(key)
  const value = read()
  places.set(pathKey(path), { start: from, end: endOfValue(reading, from) })
  path.pop()
  return value
}

/** Without the spaces and comments that were looked past. */
function endOfValue({ text, at: end }: Reading, start: number): number {
  let last = end
  while (last > start && /\s/.test(text.charAt(last - 1))) last -= 1
  return last
}
