/**
 * Where a text stops being JSON. `JSON.parse` names the place in some messages and not in others, and never
 * says which bracket was left open; this reads the text once more, only after it was refused.
 */

export interface JsonFault {
  /** Index into the text. */
  readonly index: number
  /** Both from 1. */
  readonly line: number
  readonly column: number
  /** A clause: `a comma or a closing } is missing`. */
  readonly reason: string
  /** True when the text is fine as far as it goes: a file that was cut off. */
  readonly truncated: boolean
}

/** What may come next. `first-…` also admits the closing bracket. */
type Expectation = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

interface Reader {
  readonly text: string
  at: number
  readonly open: { readonly bracket: '{' | '['; readonly index: number }[]
  expects: Expectation
}

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const spaces = /[ \t\n\r]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const wanted: Readonly<Record<Expectation, string>> = {
  value: 'a value is missing',
  'first-value': 'a value or ] is missing',
  key: 'a name in double quotes is missing (is there a comma too many?)',
  'first-key': 'a name in double quotes or } is missing',
  colon: 'a colon after the name is missing',
  comma: 'a comma or a closing bracket is missing',
  end: 'there is something after the end',
}

/** The first fault of a text; null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const reader: Reader = { text, at: 0, open: [], expects: 'value' }
  for (;;) {
    reader.at = matchEnd(spaces, text, reader.at)
    if (reader.at >= text.length) return reader.expects === 'end' ? null : cutOff(reader)
    const reason = readToken(reader)
    if (reason !== null) return faultAt(reader, reason)
  }
}

/** Line and column of an index, both from 1. */
export function lineAndColumn(
  text: string,
  index: number,
): { readonly line: number; readonly column: number } {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { line, column: index - lineStart + 1 }
}

/** Reads one token and moves on; a reason when it doesn't fit. */
function readToken(reader: Reader): string | null {
  const character = reader.text.charAt(reader.at)
  const { expects } = reader
  if (character === '}' || character === ']') return readClose(reader, character)
  if (expects === 'key' || expects === 'first-key') {
    if (character !== '"') return wanted[expects]
    reader.expects = 'colon'
    return readString(reader)
  }
  if (expects === 'colon' || expects === 'comma') {
    if (character !== (expects === 'colon' ? ':' : ',')) return wanted[expects]
    reader.at += 1
    reader.expects = expects === 'comma' && reader.open.at(-1)?.bracket === '{' ? 'key' : 'value'
    return null
  }
  return expects === 'end' ? wanted.end : readValue(reader, character)
}

function readClose(reader: Reader, character: '}' | ']'): string | null {
  const top = reader.open.at(-1)
  const isClosed =
    reader.expects === 'comma' || reader.expects === (character === '}' ? 'first-key' : 'first-value')
  if (top === undefined || !isClosed) return wanted[reader.expects]
  if ((top.bracket === '{') !== (character === '}'))
    return `a ${top.bracket === '{' ? '}' : ']'} is expected here`
  reader.open.pop()
  reader.at += 1
  reader.expects = reader.open.length === 0 ? 'end' : 'comma'
  return null
}

function readValue(reader: Reader, character: string): string | null {
  if (character === '{' || character === '[') {
    reader.open.push({ bracket: character, index: reader.at })
    reader.at += 1
    reader.expects = character === '{' ? 'first-key' : 'first-value'
    return null
  }
  const wrong = wanted[reader.expects]
  reader.expects = reader.open.length === 0 ? 'end' : 'comma'
  if (character === '"') return readString(reader)
  const end = matchEnd(scalar, reader.text, reader.at)
  if (end === reader.at) {
    // A cut inside `true` or a number is a cut, not a wrong word.
    const rest = reader.text.slice(reader.at)
    if (/^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-)$/.test(rest)) return cutReason(reader)
    return character === "'" ? 'texts stand in double quotes' : wrong
  }
  reader.at = end
  return null
}

function readString(reader: Reader): string | null {
  const end = stringBodyEnd(reader.text, reader.at + 1)
  if (end >= reader.text.length) return cutReason(reader)
  if (reader.text.charAt(end) === '"') {
    reader.at = end + 1
    return null
  }
  if (reader.text.charAt(end) === '\\') {
    if (/^\\(?:u[0-9a-fA-F]{0,3})?$/.test(reader.text.slice(end))) return cutReason(reader)
    reader.at = end
    return 'the backslash starts no known escape'
  }
  reader.at = end
  return 'a text may not contain a line break or control character'
}

/** Where the characters of a string end: at its quote, at a fault, or with the text. */
function stringBodyEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charAt(at) !== '"' && text.charAt(at) >= ' ') {
    if (text.charAt(at) !== '\\') at += 1
    else {
      const end = matchEnd(escape, text, at)
      if (end === at) break
      at = end
    }
  }
  return at
}

function cutReason(reader: Reader): string {
  reader.at = reader.text.length
  return 'the text ends too early'
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function cutOff(reader: Reader): JsonFault {
  const top = reader.open.at(-1)
  if (reader.text.trim() === '') return faultAt(reader, 'the file is empty')
  if (top === undefined) return faultAt(reader, 'the text ends too early')
  const { line } = lineAndColumn(reader.text, top.index)
  return faultAt(reader, `the text ends before the ${top.bracket} of line ${line} is closed`)
}

function faultAt(reader: Reader, reason: string): JsonFault {
  const index = Math.min(reader.at, reader.text.length)
  const { line, column } = lineAndColumn(reader.text, index)
  return { index, line, column, reason, truncated: index >= reader.text.length }
}
