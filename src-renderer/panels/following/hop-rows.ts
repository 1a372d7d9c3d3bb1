/** The way of a value as the rows of a tree: each place under what was made of it. Pure. */

import type { Hop } from '../../../src-engine/model/following/follow-value.ts'

export interface HopRow {
  readonly hop: Hop
  /** Where it stands in the list of hops. */
  readonly index: number
  readonly depth: number
  /** Told further up: what it comes from isn't told again. */
  readonly isAgain: boolean
}

/**
 * The value first, then what it comes from, nearest first. A chain stands below one another without being
 * indented: only where several came together a level begins.
 */
export function hopRows(hops: readonly Hop[]): readonly HopRow[] {
  const rows: HopRow[] = []
  const seen = new Set<number>()
  const open: { readonly index: number; readonly depth: number }[] = [{ index: 0, depth: 0 }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { index, depth } = at
    const hop = hops[index]
    if (hop === undefined) continue
    const isAgain = seen.has(index)
    rows.push({ hop, index, depth, isAgain })
    if (isAgain) continue
    seen.add(index)
    const inner = hop.from.length > 1 ? depth + 1 : depth
    for (const next of hop.from.toReversed()) open.push({ index: next, depth: inner })
  }
  return rows
}
