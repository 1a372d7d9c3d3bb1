/** A place in code that moves on: spaces and comments, words, texts, numbers, and faults with where they are. */

import { SagasmithError } from '../errors.ts'
import { lineAndColumn } from '../json-place.ts'

export interface CodeReader {
  readonly text: string
  at: number
}

/** What to do about code that only running it would give a value. */
const beyondHint =
  'Write the value itself: a text, a number, a list or an object. Code that goes beyond that can still be run ' +
  'with Node; export what it builds as JSON then.'

/** A fault of the code at an index; `reason` is a clause. */
function codeFault(reader: CodeReader, index: number, fault: CodeFault): SagasmithError {
  const { line, column } = lineAndColumn(reader.text, index)
  return new SagasmithError('code_unreadable', {
    message: `Line ${line}, column ${column}: ${fault.reason}.`,
    ...(fault.isBeyond ? { hint: beyondHint } : {}),
    details: { line, column, index, reason: fault.reason },
  })
}

interface CodeFault {
  readonly reason: string
  /** True for code that is right but more than values: it isn't read back. */
  readonly isBeyond: boolean
}

/** Refuses code that isn't right. */
export function broken(reader: CodeReader, index: number, reason: string): never {
  throw codeFault(reader, index, { reason, isBeyond: false })
}

/** Refuses code that is more than values. */
export function beyond(reader: CodeReader, index: number, reason: string): never {
  throw codeFault(reader, index, { reason, isBeyond: true })
}

const space = /[\s\ufeff]*/y
const restOfLine = /[^\n\r\u2028\u2029]*/y
const word = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/uy
const number =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)/y

/** Moves past spaces and comments. */
export function skipTrivia(reader: CodeReader): void {
  const { text } = reader
  for (;;) {
    reader.at = endOfMatch(space, text, reader.at)
    if (text.startsWith('//', reader.at)) reader.at = endOfMatch(restOfLine, text, reader.at)
    else if (text.startsWith('/*', reader.at)) {
      const end = text.indexOf('*/', reader.at + 2)
      if (end === -1) broken(reader, reader.at, 'this comment is never closed')
      reader.at = end + 2
    } else return
  }
}

/** The character that comes next, after spaces and comments; empty at the end. */
export function nextCharacter(reader: CodeReader): string {
  skipTrivia(reader)
  return reader.text.charAt(reader.at)
}

/** Moves past a mark if it comes next. */
export function takeMark(reader: CodeReader, mark: string): boolean {
  skipTrivia(reader)
  if (!reader.text.startsWith(mark, reader.at)) return false
  reader.at += mark.length
  return true
}

/** Moves past a mark that has to come next. */
export function expectMark(reader: CodeReader, mark: string, where: string): void {
  if (takeMark(reader, mark)) return
  const found = reader.at >= reader.text.length ? 'the code ends' : `“${shown(reader)}” stands`
  broken(reader, reader.at, `${mark} is expected ${where}, but ${found} here`)
}

/** The word that comes next, without moving on; empty when none does. */
export function peekWord(reader: CodeReader): string {
  skipTrivia(reader)
  return reader.text.slice(reader.at, endOfMatch(word, reader.text, reader.at))
}

/** Moves past a word if it comes next. */
export function takeWord(reader: CodeReader, wanted: string): boolean {
  if (peekWord(reader) !== wanted) return false
  reader.at += wanted.length
  return true
}

/** A few characters of what comes next. */
export function shown(reader: CodeReader): string {
  const name = peekWord(reader)
  return name === '' ? String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 32) : name.slice(0, 40)
}

/** A number without its sign. */
export function readNumber(reader: CodeReader): number {
  const start = reader.at
  const end = endOfMatch(number, reader.text, start)
  const text = reader.text.slice(start, end)
  reader.at = end
  const isWrong =
    /_(?!\w)|__|^0[\d_]|_[eE.]|[.eE]_/.test(text) || /[\p{L}\d_$]/u.test(reader.text.charAt(end))
  const value = Number(text.replaceAll('_', ''))
  if (text === '' || isWrong || Number.isNaN(value)) broken(reader, start, 'this is not a number')
  if (!Number.isFinite(value)) broken(reader, start, 'this number is too large')
  return value
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
  '\u2028': '',
  '\u2029': '',
}

/** A text in quotes or, without anything put in, between backticks. */
export function readText(reader: CodeReader): string {
  const { text } = reader
  const start = reader.at
  const quote = text.charAt(start)
  let value = ''
  for (let at = start + 1; at < text.length; ) {
    const end = endOfPlain(text, at, quote)
    value += quote === '`' ? text.slice(at, end).replaceAll(/\r\n?/g, '\n') : text.slice(at, end)
    const character = text.charAt(end)
    if (character === quote) {
      reader.at = end + 1
      return value
    }
    if (character === '\\') {
      const escape = readEscape(reader, end, quote)
      value += escape.value
      at = escape.end
    } else if (character === '$') {
      beyond(reader, end, 'a text with ${…} is put together only when the code runs')
    } else if (character !== '') broken(reader, end, 'the line ends inside a text')
    else break
  }
  return broken(reader, start, 'this text is never closed')
}

/** Where the characters that stand for themselves end. */
function endOfPlain(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === quote || character === '\\') return at
    if (quote !== '`' && (character === '\n' || character === '\r')) return at
    if (quote === '`' && character === '$' && text.charAt(at + 1) === '{') return at
  }
  return text.length
}

function readEscape(
  reader: CodeReader,
  at: number,
  quote: string,
): { readonly value: string; readonly end: number } {
  const { text } = reader
  const character = text.charAt(at + 1)
  if (character === '\r') return { value: '', end: at + (text.charAt(at + 2) === '\n' ? 3 : 2) }
  const simple = Object.hasOwn(simpleEscapes, character) ? simpleEscapes[character] : undefined
  if (simple !== undefined) return { value: simple, end: at + 2 }
  if (character === 'x' || character === 'u') return readCodeEscape(reader, at)
  if (character === '0' && !/\d/.test(text.charAt(at + 2))) return { value: '\0', end: at + 2 }
  if (/\d/.test(character) && (character < '8' || quote === '`')) {
    broken(reader, at, 'the backslash starts no known escape')
  }
  return { value: character, end: at + 2 }
}

const codeEscape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,8})\})/y

function readCodeEscape(reader: CodeReader, at: number): { readonly value: string; readonly end: number } {
  codeEscape.lastIndex = at
  const match = codeEscape.exec(reader.text)
  const code = Number.parseInt(match?.[1] ?? match?.[2] ?? match?.[3] ?? '', 16)
  if (match === null || code > 0x10ffff) return broken(reader, at, 'the backslash starts no known escape')
  return { value: String.fromCodePoint(code), end: codeEscape.lastIndex }
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
