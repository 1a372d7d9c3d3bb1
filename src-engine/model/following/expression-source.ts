/** Where a place in the value of an expression comes from, read off its text. Pure. */

import type { ExpressionRead } from '../expression-reads.ts'
import { expressionReads } from '../expression-reads.ts'
import { significantTokens, textOf } from '../expression-references.ts'
import type { FieldPath } from '../field-hints.ts'
import { secretMention } from '../secret-references.ts'

export type ExpressionSource =
  /** Taken over as it is, maybe under another name. */
  | { readonly kind: 'copied'; readonly path: FieldPath }
  /** Worked out from these places. */
  | { readonly kind: 'made'; readonly reads: readonly ExpressionRead[] }
  /** Written into the workflow. */
  | { readonly kind: 'literal' }
  | { readonly kind: 'secret' }

/** The source of what stands at `place` in the value of the expression. */
export function sourceInExpression(expression: string, place: FieldPath): ExpressionSource {
  if (secretMention(expression) !== null) return { kind: 'secret' }
  const [name, ...rest] = place
  const members = typeof name === 'string' ? objectMembers(expression) : null
  if (members !== null) {
    const member = members.find((one) => one.name === name)
    if (member !== undefined) return sourceInExpression(member.expression, rest)
    // A name that is worked out may be any.
    if (members.every((one) => one.name !== null)) return { kind: 'literal' }
  }
  const reads = expressionReads(expression)
  if (reads.length === 0) return { kind: 'literal' }
  const [only] = reads
  if (reads.length === 1 && only?.isExact === true && isPathAlone(expression, only)) {
    return { kind: 'copied', path: [...only.path, ...place] }
  }
  return { kind: 'made', reads }
}

/** Whether an expression is that path and nothing else. */
function isPathAlone(expression: string, { path }: ExpressionRead): boolean {
  const tokens = significantTokens(expression)
  const first = textOf(expression, tokens[0])
  // A root may be reached through everything: `$$.input.total`.
  const own = first === '$' || first === '$$' ? tokens.slice(2) : tokens
  const length = path.reduce<number>((sum, step, at) => {
    if (at === 0) return 1
    const isPlace = typeof step === 'number' || textOf(expression, own[sum]) === '['
    return sum + (isPlace ? 3 : 2)
  }, 0)
  return own.length === length
}

interface ObjectMember {
  /** Null for a name that is worked out. */
  readonly name: string | null
  readonly expression: string
}

const openers = ['{', '[', '(']
const closers = ['}', ']', ')']

/** The members of an expression that is an object as it is written; null for any other. */
function objectMembers(expression: string): readonly ObjectMember[] | null {
  const tokens = significantTokens(expression)
  if (textOf(expression, tokens[0]) !== '{') return null
  const members: ObjectMember[] = []
  let depth = 0
  let start = 1
  let colon = -1
  for (const [at, token] of tokens.entries()) {
    const text = token.kind === 'symbol' ? textOf(expression, token) : ''
    if (openers.includes(text)) depth += 1
    if (closers.includes(text)) depth -= 1
    const isEnd = depth === 0
    // Something goes on from the object: a filter, a function.
    if (isEnd && at !== tokens.length - 1) return null
    if (text === ':' && depth === 1 && colon === -1) colon = at
    if ((text === ',' && depth === 1) || isEnd) {
      const [key, first, last] = [tokens[start], tokens[colon + 1], tokens[at - 1]]
      if (colon > start && key !== undefined && first !== undefined && last !== undefined) {
        const isWritten = colon === start + 1 && key.kind === 'string'
        const name = isWritten ? textOf(expression, key).slice(1, -1) : null
        members.push({ name, expression: expression.slice(first.start, last.end) })
      }
      start = at + 1
      colon = -1
    }
  }
  return depth === 0 ? members : null
}
