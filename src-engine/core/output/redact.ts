/** The copy of a result without what was found in it: the same value with words where that stood. */

import type { JsonValue } from '../../model/json.ts'
import { redactedMark } from '../../model/redact-paths.ts'
import type { FlatText, Leaf } from './flat-text.ts'
import { leafAt, stepTo } from './flat-text.ts'
import type { Hit } from './scanners.ts'

interface Range {
  readonly from: number
  readonly to: number
}

/** Without hits nobody knows what to take out: nothing of the value is left then. */
export function redacted(value: JsonValue, flat: FlatText, hits: readonly Hit[]): JsonValue {
  if (hits.length === 0) return redactedMark
  const rangesByPlace = new Map<string, Range[]>()
  for (const { offset, length } of hits) {
    for (const leaf of leavesIn(flat.leaves, offset, offset + length)) {
      const ranges = rangesByPlace.get(leaf.place) ?? []
      ranges.push(withinLeaf(leaf, offset, offset + length))
      rangesByPlace.set(leaf.place, ranges)
    }
  }
  return without(value, '$', rangesByPlace)
}

function leavesIn(leaves: readonly Leaf[], from: number, to: number): readonly Leaf[] {
  const first = leafAt(leaves, from)
  if (first === null) return []
  const found: Leaf[] = []
  for (let index = leaves.indexOf(first); index < leaves.length; index += 1) {
    const leaf = leaves[index]
    if (leaf === undefined || leaf.from >= to) break
    found.push(leaf)
  }
  return found
}

/** What was found in the name of a value is taken out with the whole value. */
function withinLeaf({ start, end }: Leaf, from: number, to: number): Range {
  if (to <= start) return { from: 0, to: end - start }
  return { from: Math.max(0, from - start), to: Math.min(end, to) - start }
}

function without(
  value: JsonValue,
  place: string,
  rangesByPlace: ReadonlyMap<string, readonly Range[]>,
): JsonValue {
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[]
    return list.map((item, index) => without(item, `${place}[${index}]`, rangesByPlace))
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as Readonly<Record<string, JsonValue>>)
    return Object.fromEntries(
      members.map(([key, item]) => [key, without(item, `${place}${stepTo(key)}`, rangesByPlace)]),
    )
  }
  const ranges = rangesByPlace.get(place)
  if (ranges === undefined) return value
  return typeof value === 'string' ? cut(value, ranges) : redactedMark
}

function cut(text: string, ranges: readonly Range[]): string {
  let kept = ''
  let at = 0
  for (const { from, to } of ranges.toSorted((left, right) => left.from - right.from)) {
    if (to <= at) continue
    // Ranges that touch or overlap leave one word.
    kept += from > at || at === 0 ? `${text.slice(at, Math.max(at, from))}${redactedMark}` : ''
    at = to
  }
  return kept + text.slice(at)
}
