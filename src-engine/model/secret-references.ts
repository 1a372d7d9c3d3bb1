/**
 * Where expressions name secrets. A secret stands alone between its braces: an expression that worked on it
 * would need its value where values are kept.
 */

import { isRootName, significantTokens, textOf } from './expression-references.ts'
import { secretNamePattern } from './secret.ts'

export type SecretMention =
  /** The whole expression is one secret. */
  | { readonly kind: 'whole'; readonly name: string }
  /** It does something with secrets, which can't be. */
  | { readonly kind: 'part' }

/** How an expression mentions secrets; null when it doesn't. A field of data is written in backticks. */
export function secretMention(expression: string): SecretMention | null {
  if (!expression.includes('secrets')) return null
  const tokens = significantTokens(expression)
  const named = (index: number): string => textOf(expression, tokens[index])
  const isMentioned = tokens.some(
    (token, index) =>
      token.kind === 'name' &&
      isRootName({ expression, tokens }, index, 'secrets') &&
      ['.', '['].includes(named(index + 1)),
  )
  if (!isMentioned) return expression.trim() === 'secrets' ? { kind: 'part' } : null
  const name = named(2)
  const isWhole = tokens.length === 3 && named(0) === 'secrets' && named(1) === '.'
  return isWhole && secretNamePattern.test(name) ? { kind: 'whole', name } : { kind: 'part' }
}
