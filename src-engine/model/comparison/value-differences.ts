/** What differs between two values, as places in them: the tree of a comparison. Pure. */

import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'

/** One place where two values differ; what isn't there is absent. */
export interface ValueDifference {
  /** Names of fields and places in lists, from the root down; empty for the values as a whole. */
  readonly path: readonly (string | number)[]
  readonly before?: JsonValue
  readonly after?: JsonValue
}

interface Pair {
  readonly path: readonly (string | number)[]
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/**
 * The innermost places that differ, in the order of the earlier value, at most `max` of them. Lists are
 * compared place by place. Nothing recurses, so values may be nested as deep as they like.
 */
export function valueDifferences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  max: number,
): readonly ValueDifference[] {
  const found: ValueDifference[] = []
  const open: Pair[] = [{ path: [], before, after }]
  for (let pair = open.pop(); pair !== undefined && found.length < max; pair = open.pop()) {
    const inner = membersOf(pair)
    if (inner !== null) open.push(...inner.toReversed())
    else if (!isSameLeaf(pair)) found.push(differenceOf(pair))
  }
  return found
}

/** Whether two values say the same, whatever the order of their fields. */
export const isSameValue = (before: JsonValue, after: JsonValue): boolean =>
  valueDifferences(before, after, 1).length === 0

/** The members of two lists or two objects; null where the two are one thing. */
function membersOf({ path, before, after }: Pair): Pair[] | null {
  if (Array.isArray(before) && Array.isArray(after)) {
    const left = before as readonly JsonValue[]
    const right = after as readonly JsonValue[]
    const length = Math.max(left.length, right.length)
    return Array.from({ length }, (_, at) => ({ path: [...path, at], before: left[at], after: right[at] }))
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return null
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].map((name) => ({
    path: [...path, name],
    before: ownOf(before, name),
    after: ownOf(after, name),
  }))
}

/** The field of that name, and never what every object has. */
const ownOf = (value: { readonly [name: string]: JsonValue }, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** Leaves, and what differs in kind: a list and an object are never the same, empty or not. */
const isSameLeaf = ({ before, after }: Pair): boolean => Object.is(before, after) || before === after

const differenceOf = ({ path, before, after }: Pair): ValueDifference => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})
