/** Which nodes an expression reads: `nodes.fetch`, nodes.`fetch-orders`, `nodes["fetch"]`, `$$.nodes.x`. */

import type { ExpressionToken } from './expression-token.ts'
import { expressionTokenAt } from './expression-token.ts'

export interface ExpressionReference {
  readonly nodeId: string
  /** The range of the name in the expression, with its quotes. */
  readonly start: number
  readonly end: number
}

/** Names that stand for everything an expression may read. */
const roots = ['$', '$$']

/** The nodes an expression mentions, in order of appearance, each mention once. Strings don't count. */
export function expressionReferences(expression: string): readonly ExpressionReference[] {
  const tokens = significantTokens(expression)
  const references: ExpressionReference[] = []
  tokens.forEach((token, index) => {
    if (!isRootName({ expression, tokens }, index, 'nodes')) return
    const reference = referenceAfter(expression, tokens, index)
    if (reference !== null) references.push(reference)
  })
  return references
}

/** The tokens of an expression that mean something. */
export function significantTokens(expression: string): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  for (let at = 0; at < expression.length; ) {
    const token: ExpressionToken = expressionTokenAt(expression, at, tokens.at(-1) ?? null)
    if (token.kind !== 'space' && token.kind !== 'comment') tokens.push(token)
    at = token.end
  }
  return tokens
}

/**
 * Whether there is a `*` for all fields, or a `%` for what is around, in an expression: where an operand may begin. After
 * one they multiply and divide.
 */
export function takesAll(expression: string): boolean {
  const isAll = ({ kind, start }: ExpressionToken, index: number, tokens: readonly ExpressionToken[]) => {
    if (kind !== 'symbol' || !'*%'.includes(expression.charAt(start))) return false
    const before = tokens[index - 1]
    if (before === undefined) return true
    const text = textOf(expression, before)
    return before.kind === 'symbol' ? !')]}'.includes(text) : ['and', 'or', 'in'].includes(text)
  }
  return /[*%]/.test(expression) && significantTokens(expression).some(isAll)
}

/** Whether a token is that root at the start of a path, or right after one: in `order.nodes` it is a field. */
export function isRootName(
  { expression, tokens }: { readonly expression: string; readonly tokens: readonly ExpressionToken[] },
  index: number,
  root: string,
): boolean {
  const text = textOf(expression, tokens[index])
  if (text === `$${root}`) return true
  if (text !== root && text !== `\`${root}\``) return false
  if (textOf(expression, tokens[index - 1]) !== '.') return true
  return roots.includes(textOf(expression, tokens[index - 2]))
}

function referenceAfter(
  expression: string,
  tokens: readonly ExpressionToken[],
  index: number,
): ExpressionReference | null {
  const separator = textOf(expression, tokens[index + 1])
  const name = tokens[index + 2]
  if (name === undefined || (separator !== '.' && separator !== '[' && separator !== ',')) return null
  // `$lookup(nodes, "id")` reads a node, `$f(nodes, other)` doesn't; `nodes[id]` is a filter.
  if (separator !== '.' && name.kind !== 'string') return null
  if (separator === ',' && textOf(expression, tokens[index - 2]) !== '$lookup') return null
  if (name.kind !== 'name' && name.kind !== 'quoted-name' && name.kind !== 'string') return null
  const text = textOf(expression, name)
  const nodeId = name.kind === 'name' ? text : text.slice(1, -1)
  // `nodes.$keys()` calls a function on them all.
  if (nodeId === '' || nodeId.startsWith('$')) return null
  return { nodeId, start: name.start, end: name.end }
}

/** What a token says; nothing for one that isn't there. */
export function textOf(expression: string, token: ExpressionToken | undefined): string {
  return token === undefined ? '' : expression.slice(token.start, token.end)
}
