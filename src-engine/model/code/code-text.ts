/**
 * Values as formatted TypeScript: single quotes, no semicolons, two spaces, lines of at most a hundred and ten
 * characters, broken where the usual formatters break them. Whatever a text contains stays inside its quotes.
 */

import type { JsonValue } from '../json.ts'
import { isJsonObject, sortedKeys } from '../json.ts'

/** A piece of code that may stand on one line or on several. */
export type Code =
  | { readonly kind: 'word'; readonly text: string }
  /** A text of several lines between backticks. */
  | { readonly kind: 'lines'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Code[]; readonly isNumbers: boolean }
  | { readonly kind: 'object'; readonly fields: readonly CodeField[]; readonly isOpen: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly argument: Code }

export interface CodeField {
  /** Null for a spread: `...kept({})`. */
  readonly key: string | null
  readonly value: Code
}

/** Same as the formatters of the house use. */
const lineWidth = 110
/** A shorter key gains too little by its value being put on the next line. */
const shortKey = 5

const wordOf = (text: string): Code => ({ kind: 'word', text })
/** `isOpen`: on several lines even where it would fit on one. */
export const objectOf = (fields: readonly CodeField[], isOpen = false): Code => ({
  kind: 'object',
  fields,
  isOpen,
})
export const callOf = (name: string, argument: Code): Code => ({ kind: 'call', name, argument })

/** A JSON value as code. `hasLines` allows texts of several lines between backticks. */
export function codeOf(value: JsonValue, hasLines = true): Code {
  if (typeof value === 'string') return hasLines && isBlock(value) ? linesOf(value) : wordOf(quoted(value))
  if (typeof value === 'number') return wordOf(numberText(value))
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => codeOf(item, false))
    const isNumbers = value.length > 0 && value.every((item: JsonValue) => typeof item === 'number')
    return { kind: 'list', items, isNumbers }
  }
  if (!isJsonObject(value)) return wordOf(JSON.stringify(value))
  return objectOf(sortedKeys(value).map((key) => ({ key, value: codeOf(value[key] as JsonValue, hasLines) })))
}

/** Where code is put: `column` is where its first line begins, `room` what follows on its last one. */
interface Spot {
  readonly indent: number
  readonly column: number
  readonly room: number
}

/** The code as it stands at a spot. */
export function printed(code: Code, at: Spot): string {
  const flat = flatText(code)
  if (flat !== null && at.column + widthOf(flat) + at.room <= lineWidth) return flat
  if (code.kind === 'word' || code.kind === 'lines') return code.text
  if (code.kind === 'call') return printedCall(code, at)
  if (code.kind === 'object') return rows('{}', code.fields.map(fieldLine(at.indent)), at)
  return code.isNumbers ? numberRows(code, at.indent) : rows('[]', code.items.map(itemLine(at.indent)), at)
}

function printedCall({ name, argument }: Extract<Code, { kind: 'call' }>, at: Spot): string {
  const { indent, column, room } = at
  const isHugged = argument.kind === 'object' || argument.kind === 'list'
  if (isHugged) {
    return `${name}(${printed(argument, { indent, column: column + name.length + 1, room: room + 1 })})`
  }
  const inner = spaces(indent + 2)
  return `${name}(\n${inner}${printed(argument, itemSpot(indent))},\n${spaces(indent)})`
}

/** On a line of its own, a comma behind it. */
const itemSpot = (indent: number): Spot => ({ indent: indent + 2, column: indent + 2, room: 1 })

/** Null for what can't stand on one line. */
function flatText(code: Code): string | null {
  if (code.kind === 'word') return code.text
  if (code.kind === 'lines') return null
  if (code.kind === 'list') return mustBreak(code.items) ? null : joined('[', code.items.map(flatText), ']')
  if (code.kind === 'call') {
    const argument = flatText(code.argument)
    return argument === null ? null : `${code.name}(${argument})`
  }
  if (code.fields.length === 0) return '{}'
  return code.isOpen ? null : joined('{ ', code.fields.map(flatField), ' }')
}

function flatField({ key, value }: CodeField): string | null {
  const text = flatText(value)
  if (text === null) return null
  return key === null ? `...${text}` : `${keyText(key)}: ${text}`
}

function joined(open: string, parts: readonly (string | null)[], close: string): string | null {
  return parts.includes(null) ? null : `${open}${parts.join(', ')}${close}`
}

/** Lists of objects, and lists of lists, have a line for each. */
function mustBreak(items: readonly Code[]): boolean {
  if (items.length < 2) return false
  return (
    items.every((item) => item.kind === 'object' && item.fields.length > 1) ||
    items.every((item) => item.kind === 'list' && item.items.length > 1)
  )
}

function rows([open, close]: string, lines: readonly string[], { indent }: Spot): string {
  return `${open}\n${lines.map((line) => `${spaces(indent + 2)}${line},\n`).join('')}${spaces(indent)}${close}`
}

const itemLine =
  (indent: number) =>
  (item: Code): string =>
    printed(item, itemSpot(indent))

const fieldLine =
  (indent: number) =>
  ({ key, value }: CodeField): string => {
    const inner = indent + 2
    const head = key === null ? '...' : `${keyText(key)}: `
    const text = printed(value, { indent: inner, column: inner + widthOf(head), room: 1 })
    const isTooLong = value.kind === 'word' && inner + widthOf(head) + widthOf(text) + 1 > lineWidth
    if (!isTooLong || key === null || widthOf(keyText(key)) < shortKey) return head + text
    return `${head.trimEnd()}\n${spaces(inner + 2)}${text}`
  }

/** Numbers fill their lines. */
function numberRows({ items }: Extract<Code, { kind: 'list' }>, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const [index, item] of items.entries()) {
    const text = `${flatText(item) ?? ''}${index === items.length - 1 ? '' : ','}`
    const longer = line === '' ? text : `${line} ${text}`
    if (line !== '' && indent + 2 + longer.length > lineWidth) {
      lines.push(line)
      line = text
    } else line = longer
  }
  lines.push(line)
  const inner = spaces(indent + 2)
  return `[\n${lines.map((row) => inner + row).join('\n')},\n${spaces(indent)}]`
}

const spaces = (count: number): string => ' '.repeat(count)

const plainName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

/** A key as it may be written. `__proto__: x` would set an object's prototype; in brackets it is a field. */
function keyText(key: string): string {
  if (key === '__proto__') return "['__proto__']"
  return plainName.test(key) ? key : quoted(key)
}

function numberText(value: number): string {
  return JSON.stringify(value).replace('e+', 'e')
}

/** What would end a line or a text, or is not to be seen, in escaped form. */
const unseen = new RegExp(
  [
    String.raw`[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]`,
    // Halves of characters that stand alone.
    String.raw`[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`,
  ].join('|'),
  'g',
)

const shortEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

const escaped = (character: string): string => {
  const unit = character.charCodeAt(0)
  return shortEscapes[character] ?? `\\u${unit.toString(16).padStart(4, '0')}`
}

/** The text in the quotes that need fewer escapes. */
function quoted(text: string): string {
  const singles = text.split("'").length
  const doubles = text.split('"').length
  const quote = singles > doubles ? '"' : "'"
  const body = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll(unseen, escaped)
  return quote + body + quote
}

/** Whether a text reads better line by line. */
const isBlock = (text: string): boolean => /\n[^\n]*\S/.test(text)

function linesOf(text: string): Code {
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${')
    // Line breaks stay; spaces before one would be lost in most editors.
    .replaceAll(unseen, (character) => (character === '\n' ? '\n' : escaped(character)))
    .replaceAll(/ (?=\n|$)/g, '\\x20')
  return { kind: 'lines', text: `\`${body}\`` }
}

/** Columns that a text takes: wide characters take two. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += wideCharacter.test(character) ? 2 : 1
  return width
}

const wideCharacter =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60]/u
