/**
 * Texts with expressions in `{{ }}`. A text that is exactly one pair of braces gives the expression's value
 * with its type; anything else gives text. Braces inside an expression's strings, objects, comments and
 * regular expressions don't end it, so literal braces are written as `{{ "{{" }}`. Linear in the text.
 */

import type { ExpressionToken } from './expression-token.ts'
import { expressionTokenAt } from './expression-token.ts'
import type { Result } from './result.ts'
import { err, ok } from './result.ts'

/** Positions are indices into the whole text. */
export interface TemplateExpression {
  readonly kind: 'expression'
  /** What stands between the braces, without the spaces around it. */
  readonly source: string
  /** Where `source` starts. */
  readonly position: number
  /** The range with its braces. */
  readonly start: number
  readonly end: number
}

export type TemplatePart = { readonly kind: 'text'; readonly text: string } | TemplateExpression

export type Template =
  | { readonly kind: 'text'; readonly text: string }
  /** The whole text is one expression: its value is taken as it is. */
  | { readonly kind: 'value'; readonly expression: TemplateExpression }
  | { readonly kind: 'mixed'; readonly parts: readonly TemplatePart[] }

export interface TemplateProblem {
  readonly code: 'template_unterminated' | 'template_empty'
  readonly message: string
  /** Index of the braces that are meant. */
  readonly position: number
}

/** Whether a text may hold an expression: the cheap question before parsing. */
export function hasExpression(text: string): boolean {
  return text.includes('{{')
}

/** The parts of a text. */
export function parseTemplate(text: string): Result<Template, TemplateProblem> {
  if (!hasExpression(text)) return ok({ kind: 'text', text })
  const parts: TemplatePart[] = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{{', at)
    if (open !== at) parts.push({ kind: 'text', text: text.slice(at, open === -1 ? text.length : open) })
    if (open === -1) break
    const expression = expressionAt(text, open)
    if (!expression.ok) return expression
    parts.push(expression.value)
    at = expression.value.end
  }
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'expression') return ok({ kind: 'value', expression: only })
  return ok({ kind: 'mixed', parts })
}

/** The expressions of a text in their order; none when it can't be parsed. */
export function templateExpressions(text: string): readonly TemplateExpression[] {
  const template = parseTemplate(text)
  if (!template.ok || template.value.kind === 'text') return []
  if (template.value.kind === 'value') return [template.value.expression]
  return template.value.parts.filter((part) => part.kind === 'expression')
}

function expressionAt(text: string, open: number): Result<TemplateExpression, TemplateProblem> {
  let depth = 0
  let previous: ExpressionToken | null = null
  for (let at = open + 2; at < text.length; ) {
    const token = expressionTokenAt(text, at, previous)
    if (!token.closed) return err(unterminated(text, open, token))
    if (token.kind === 'symbol') {
      const symbol = text.charAt(at)
      if (symbol === '{') depth += 1
      else if (symbol === '}' && depth > 0) depth -= 1
      else if (symbol === '}' && text.charAt(at + 1) === '}') return closedExpression(text, open, at)
    }
    if (token.kind !== 'space' && token.kind !== 'comment') previous = token
    at = token.end
  }
  return err(unterminated(text, open, null))
}

function closedExpression(
  text: string,
  open: number,
  close: number,
): Result<TemplateExpression, TemplateProblem> {
  const inner = text.slice(open + 2, close)
  const source = inner.trim()
  if (source === '') {
    return err({ code: 'template_empty', position: open, message: 'There is nothing between {{ and }}.' })
  }
  const position = open + 2 + (inner.length - inner.trimStart().length)
  return ok({ kind: 'expression', source, position, start: open, end: close + 2 })
}

const tokenNames = {
  string: 'a text in quotes',
  'quoted-name': 'a name in backticks',
  comment: 'a comment',
  regex: 'a pattern',
}

function unterminated(text: string, open: number, inside: ExpressionToken | null): TemplateProblem {
  const kind = inside?.kind
  const name = kind !== undefined && kind in tokenNames ? tokenNames[kind as keyof typeof tokenNames] : null
  const from = JSON.stringify(text.slice(open, open + 20))
  const message =
    name === null
      ? `The braces opened at ${from} are never closed.`
      : `Inside ${from}, ${name} is never closed.`
  return { code: 'template_unterminated', position: open, message }
}
