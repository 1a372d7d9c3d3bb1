/** What JSONata says about an expression it can't read or evaluate, and where. */

import jsonata from 'jsonata'
import { expressionBytesMax } from '../../model/limits.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { ExpressionFault } from '../../model/validation.ts'

/** The fault of anything JSONata threw; `position` is an index into the expression. */
export function expressionFault(thrown: unknown): ExpressionFault {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown), position: null }
  const { message, position } = thrown as { readonly message?: unknown; readonly position?: unknown }
  const text = typeof message === 'string' && message !== '' ? message : 'The expression can’t be evaluated.'
  // JSONata counts to the end of the token.
  return { message: text, position: typeof position === 'number' ? Math.max(0, position - 1) : null }
}

/** What is wrong with an expression's syntax; null when nothing is. */
export function checkExpression(expression: string): ExpressionFault | null {
  if (utf8Bytes(expression) > expressionBytesMax) {
    return { message: `The expression has more than ${expressionBytesMax} bytes.`, position: null }
  }
  try {
    jsonata(expression)
    return null
  } catch (thrown) {
    return expressionFault(thrown)
  }
}
