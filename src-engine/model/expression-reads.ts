/** Which places of its data an expression reads: `input.order.total`, `nodes.fetch.output.rows`. Pure. */

import { isRootName, significantTokens, textOf } from './expression-references.ts'
import type { ExpressionToken } from './expression-token.ts'

/** A place that an expression reads. */
export interface ExpressionRead {
  /** The root and the names after it, as far as they are written out: `['nodes', 'fetch', 'output']`. */
  readonly path: readonly (string | number)[]
  /** Whether the path is all there is: no filter, call or `*` goes on from it. */
  readonly isExact: boolean
}

const roots = ['input', 'nodes', 'vars', 'run', 'item', 'loop'] as const

/** The places in order of appearance, each once. */
export function expressionReads(expression: string): readonly ExpressionRead[] {
  const tokens = significantTokens(expression)
  const found = new Map<string, ExpressionRead>()
  tokens.forEach((_, index) => {
    const root = roots.find((name) => isRootName({ expression, tokens }, index, name))
    if (root === undefined || textOf(expression, tokens[index + 1]) === '(') return
    const read = readFrom({ expression, tokens }, index + 1, root)
    const key = JSON.stringify(read)
    if (!found.has(key)) found.set(key, read)
  })
  return [...found.values()]
}

interface Tokens {
  readonly expression: string
  readonly tokens: readonly ExpressionToken[]
}

/** Follows names and written-out places from a root, as far as they go. */
function readFrom({ expression, tokens }: Tokens, start: number, root: string): ExpressionRead {
  const path: (string | number)[] = [root]
  const text = (at: number): string => textOf(expression, tokens[at])
  let at = start
  for (;;) {
    const name = text(at) === '.' ? nameAt(expression, tokens[at + 1]) : null
    const place = text(at) === '[' && text(at + 2) === ']' ? placeAt(expression, tokens[at + 1]) : null
    if (name !== null && text(at + 2) !== '(') {
      path.push(name)
      at += 2
    } else if (place !== null) {
      path.push(place)
      at += 3
    } else return { path, isExact: !['.', '[', '{', '^', '@', '#'].includes(text(at)) }
  }
}

function nameAt(expression: string, token: ExpressionToken | undefined): string | null {
  if (token === undefined || token.kind === 'symbol') return null
  const text = textOf(expression, token)
  if (token.kind === 'quoted-name' || token.kind === 'string') return text.slice(1, -1)
  return text.startsWith('$') || /^\d/.test(text) ? null : text
}

/** `[2]` and `["name"]`; a filter is none. */
function placeAt(expression: string, token: ExpressionToken | undefined): string | number | null {
  if (token === undefined) return null
  const text = textOf(expression, token)
  if (/^\d+$/.test(text)) return Number(text)
  return token.kind === 'string' ? text.slice(1, -1) : null
}
