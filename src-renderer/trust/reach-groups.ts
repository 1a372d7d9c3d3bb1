/** What a document may touch, as people are shown it: by group, each thing once, with the steps that touch it. Pure. */

import type { Reached } from '../../src-engine/model/reach.ts'
import { reachWords, restrictedWords as words } from '../text/restricted-words.ts'

export interface ReachRow {
  readonly text: string
  readonly decidedByRun: boolean
  /** Whether it is beyond what was trusted before. */
  readonly isNew: boolean
  /** Each `Reached` that it stands for. */
  readonly places: readonly Reached[]
}

export interface ReachGroup {
  readonly what: Reached['what']
  readonly rows: readonly ReachRow[]
}

const kinds = Object.keys(reachWords) as readonly Reached['what'][]

const sameThing = ({ what, kind, text, nodeId }: Reached): string =>
  JSON.stringify([what, kind, text, nodeId])

/** Groups without anything are left out. */
export function reachGroups(reach: readonly Reached[], beyond: readonly Reached[]): readonly ReachGroup[] {
  const isBeyond = new Set(beyond.map(sameThing))
  return kinds.flatMap((what) => {
    const byText = Map.groupBy(
      reach.filter((item) => item.what === what),
      ({ text }) => text,
    )
    const rows = [...byText].map(([text, places]) => ({
      text,
      places,
      decidedByRun: places.some((item) => item.decidedByRun),
      isNew: places.some((item) => isBeyond.has(sameThing(item))),
    }))
    return rows.length === 0 ? [] : [{ what, rows }]
  })
}

/** `run commands, touch files and use secrets`. */
export function abilities(reach: readonly Reached[]): string {
  const found = kinds.filter((what) => reach.some((item) => item.what === what))
  const all = found.map((what) => reachWords[what].can)
  return [all.slice(0, -1).join(', '), all.at(-1) ?? ''].filter((part) => part !== '').join(words.and)
}
