/** Texts with `{{ }}` as the expressions that put them together, and back. Pure. */

import { significantTokens, textOf } from '../../../src-engine/model/expression-references.ts'
import { parseTemplate } from '../../../src-engine/model/template.ts'

/** The expression of a text. One whose braces don't end yet is taken as it stands. */
export function textExpression(template: string): string {
  const parsed = parseTemplate(template)
  if (!parsed.ok) return JSON.stringify(template)
  const { value } = parsed
  if (value.kind === 'text') return JSON.stringify(value.text)
  if (value.kind === 'value') return value.expression.source
  const parts = value.parts.map((part) =>
    part.kind === 'text' ? JSON.stringify(part.text) : `(${part.source})`,
  )
  // Two values side by side would be joined all the same, but nobody would see that a text is meant.
  return value.parts[0]?.kind === 'text' ? parts.join(' & ') : `"" & ${parts.join(' & ')}`
}

/** The text that an expression puts together; null for one that does anything else. */
export function textTemplate(expression: string): string | null {
  const tokens = significantTokens(expression)
  const parts: string[] = []
  let hasValue = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token?.kind === 'string') {
      const text = textIn(textOf(expression, token))
      if (text === null) return null
      parts.push(text)
    } else if (textOf(expression, token) === '(' && at > 0) {
      const close = closeFrom(expression, tokens, at)
      if (close === null) return null
      parts.push(`{{ ${expression.slice(token?.end, tokens[close]?.start).trim()} }}`)
      hasValue = true
      at = close
    } else return null
    at += 1
    if (at < tokens.length && textOf(expression, tokens[at]) !== '&') return null
  }
  const template = parts.join('')
  // Only what would become the same expression again.
  return hasValue && textExpression(template) === expression ? template : null
}

function textIn(quoted: string): string | null {
  try {
    return quoted.startsWith('"') ? String(JSON.parse(quoted)) : null
  } catch {
    // Escapes that JSON doesn't know.
    return null
  }
}

function closeFrom(text: string, tokens: ReturnType<typeof significantTokens>, open: number): number | null {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token?.kind !== 'symbol') continue
    const sign = textOf(text, token)
    if ('([{'.includes(sign)) depth += 1
    if (')]}'.includes(sign)) depth -= 1
    if (depth === 0) return at
  }
  return null
}
