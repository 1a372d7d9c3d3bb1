/**
 * Tokens of a JSONata expression, as far as finding its end and its names needs them: strings, quoted
 * names, comments and regular expressions are skipped whole, so that braces inside them count for nothing.
 */

export type ExpressionTokenKind = 'string' | 'quoted-name' | 'name' | 'regex' | 'comment' | 'space' | 'symbol'

export interface ExpressionToken {
  readonly kind: ExpressionTokenKind
  readonly start: number
  /** Index after the last character. */
  readonly end: number
  /** False for a string, quoted name, comment or regular expression that the text ends inside of. */
  readonly closed: boolean
}

const symbols = '.[]{}(),@#;:?+-*/%|=<>^&!~'
const spaces = ' \t\n\r\v'

/**
 * The token at an index. `previous` is the last token that was neither space nor comment: after an operand
 * a slash divides, elsewhere it opens a regular expression.
 */
export function expressionTokenAt(
  text: string,
  start: number,
  previous: ExpressionToken | null,
): ExpressionToken {
  const first = text.charAt(start)
  if (first === '"' || first === "'") return quotedToken(text, start, 'string')
  if (first === '`') return quotedToken(text, start, 'quoted-name')
  if (first === '/' && text.charAt(start + 1) === '*') return commentToken(text, start)
  if (first === '/' && !endsOperand(text, previous)) return regexToken(text, start)
  if (symbols.includes(first)) return { kind: 'symbol', start, end: start + 1, closed: true }
  const isSpace = spaces.includes(first)
  let end = start + 1
  while (end < text.length && belongs(text.charAt(end), isSpace)) end += 1
  return { kind: isSpace ? 'space' : 'name', start, end, closed: true }
}

function belongs(character: string, toSpace: boolean): boolean {
  if (toSpace) return spaces.includes(character)
  return !spaces.includes(character) && !symbols.includes(character) && !'"\'`'.includes(character)
}

function endsOperand(text: string, token: ExpressionToken | null): boolean {
  if (token === null) return false
  if (token.kind !== 'symbol') return !['and', 'or', 'in'].includes(text.slice(token.start, token.end))
  return ')]}*%'.includes(text.charAt(token.start))
}

function quotedToken(text: string, start: number, kind: 'string' | 'quoted-name'): ExpressionToken {
  const quote = text.charAt(start)
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '\\' && kind === 'string') index += 1
    else if (character === quote) return { kind, start, end: index + 1, closed: true }
  }
  return { kind, start, end: text.length, closed: false }
}

function commentToken(text: string, start: number): ExpressionToken {
  const close = text.indexOf('*/', start + 2)
  if (close === -1) return { kind: 'comment', start, end: text.length, closed: false }
  return { kind: 'comment', start, end: close + 2, closed: true }
}

function regexToken(text: string, start: number): ExpressionToken {
  let depth = 0
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '\\') index += 1
    else if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    else if (character === '/' && depth <= 0) {
      let end = index + 1
      while (end < text.length && 'im'.includes(text.charAt(end))) end += 1
      return { kind: 'regex', start, end, closed: true }
    }
  }
  return { kind: 'regex', start, end: text.length, closed: false }
}
