/**
 * Where an expression names what a run has, as far as that can be told from its text: `input`, `nodes`, `vars`,
 * `run`, `item`, `loop`. In a filter or after a dot the same name is a field of the data, and not meant. Pure.
 */

import { isRootName, significantTokens, textOf } from '../expression-references.ts'
import type { ExpressionToken } from '../expression-token.ts'

export const rewrittenRoots = ['input', 'nodes', 'vars', 'run', 'item', 'loop'] as const
export type RootName = (typeof rewrittenRoots)[number]

export interface RootMention {
  readonly root: RootName
  /** The range of the root's name. */
  readonly start: number
  readonly end: number
  /** Of `nodes`: which node is read; null where only the run can tell. */
  readonly nodeId: string | null
  /** Of `nodes`: the range of that name, with its quotes; null where there is none. */
  readonly name: { readonly start: number; readonly end: number } | null
  /** Of `nodes`: the index after `nodes.ID.output`; null where more of the step is read than its output. */
  readonly outputEnd: number | null
  /** Of `run`: the name after the dot; null for the whole. */
  readonly member: string | null
  /** Of `run`: the index after that name; null where there is none. */
  readonly memberEnd: number | null
}

interface Read {
  readonly expression: string
  readonly tokens: readonly ExpressionToken[]
}

/** The mentions in order of appearance. */
export function rootMentions(expression: string): readonly RootMention[] {
  if (!rewrittenRoots.some((root) => expression.includes(root))) return []
  const tokens = significantTokens(expression)
  const read = { expression, tokens }
  const isField = fieldContexts(read)
  return tokens.flatMap((token, index) => {
    const root = rewrittenRoots.find((name) => isRootName(read, index, name))
    if (root === undefined) return []
    const isVariable = textOf(expression, token).startsWith('$')
    // A single `$` is the data at hand, `$$` is all that there is.
    const isFromTop = textOf(expression, tokens[index - 2]) === '$$'
    if (isField[index] === true && !isVariable && !isFromTop) return []
    // The call of a function of that name.
    if (!isVariable && textOf(expression, tokens[index + 1]) === '(') return []
    return [mentionAt(read, index, root)]
  })
}

function mentionAt({ expression, tokens }: Read, index: number, root: RootName): RootMention {
  const text = (at: number): string => textOf(expression, tokens[at])
  const token = tokens[index]
  const [start, end] = [token?.start ?? 0, token?.end ?? 0]
  const isMember = text(index + 1) === '.'
  const named = isMember ? plainName(text(index + 2)) : null
  const member = root === 'run' ? named : null
  const memberEnd = member === null ? null : (tokens[index + 2]?.end ?? null)
  const plain = { root, start, end, nodeId: null, name: null, outputEnd: null, member, memberEnd }
  if (root !== 'nodes') return plain
  if (named !== null) {
    const isOutput = text(index + 3) === '.' && plainName(text(index + 4)) === 'output'
    return {
      ...plain,
      nodeId: named,
      name: rangeOf(tokens[index + 2]),
      outputEnd: isOutput ? (tokens[index + 4]?.end ?? null) : null,
    }
  }
  const isLookup = text(index + 1) === ',' && text(index - 2) === '$lookup'
  const quoted = text(index + 1) === '[' || isLookup ? tokens[index + 2] : undefined
  const isNamed = quoted?.kind === 'string' && [']', ')'].includes(text(index + 3))
  return isNamed ? { ...plain, nodeId: text(index + 2).slice(1, -1), name: rangeOf(quoted) } : plain
}

const rangeOf = (token: ExpressionToken | undefined) =>
  token === undefined ? null : { start: token.start, end: token.end }

function plainName(text: string): string | null {
  if (/^`[^`]*`$/.test(text) || /^"[^"\\]*"$/.test(text)) return text.slice(1, -1)
  return /^[A-Za-z_][\w]*$/.test(text) ? text : null
}

/** For each token whether plain names there are fields of some data: in filters, sorts, and what follows a dot. */
function fieldContexts({ expression, tokens }: Read): readonly boolean[] {
  const contexts: boolean[] = []
  const open: { readonly isField: boolean; readonly isHead: boolean }[] = []
  let closedHead = false
  tokens.forEach((token, index) => {
    const text = textOf(expression, token)
    const before = textOf(expression, tokens[index - 1])
    const isField = open.at(-1)?.isField ?? false
    contexts.push(isField)
    if (token.kind !== 'symbol') return
    if ('([{'.includes(text)) {
      // The body of a function sees what is around it.
      const isBody = text === '{' && before === ')' && closedHead
      const isOwn = before === '.' || before === '^' || (text !== '(' && endsValue(tokens[index - 1], before))
      const isHead = text === '(' && (before === 'function' || before === 'λ')
      open.push({ isField: isField || (isOwn && !isBody), isHead })
    } else if (')]}'.includes(text)) closedHead = open.pop()?.isHead ?? false
  })
  return contexts
}

/** After a value, a bracket filters or groups it; elsewhere it makes something new. */
const endsValue = (token: ExpressionToken | undefined, text: string): boolean =>
  token !== undefined &&
  (token.kind === 'symbol' ? ')]}*%'.includes(text) : !['and', 'or', 'in'].includes(text))

/** The expression with other texts in the place of mentions; `null` leaves one as it is. */
export function withMentions(
  expression: string,
  replace: (mention: RootMention) => { readonly text: string; readonly end: number } | null,
): string {
  let made = ''
  let at = 0
  for (const mention of rootMentions(expression)) {
    const found = replace(mention)
    if (found === null) continue
    made += expression.slice(at, mention.start) + found.text
    at = found.end
  }
  return made + expression.slice(at)
}

/** The expression with other names for steps; whoever isn't in the map keeps its own. */
export function withNodeNames(expression: string, renamed: ReadonlyMap<string, string>): string {
  let made = ''
  let at = 0
  for (const { nodeId, name } of rootMentions(expression)) {
    const other = nodeId === null ? undefined : renamed.get(nodeId)
    if (name === null || other === undefined || other === nodeId) continue
    const isText = /^["']/.test(expression.charAt(name.start)) && expression.charAt(name.start - 1) !== '.'
    made += expression.slice(at, name.start) + (isText ? JSON.stringify(other) : pathName(other))
    at = name.end
  }
  return made + expression.slice(at)
}

/** A name as a step of a path. */
export const pathName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !words.has(name) ? name : `\`${name}\``

/** They mean something else without backticks. */
const words: ReadonlySet<string> = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function'])
