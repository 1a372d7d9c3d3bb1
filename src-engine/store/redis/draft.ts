/** A unit while it is made. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import type { News } from '../hints.ts'
import { noNews } from '../hints.ts'
import type { PartitionState } from './partition-state.ts'
import type { WriteTag } from './tokens.ts'
import type { HashPart, LeaseWrite, Op } from './unit.ts'

export interface Draft {
  readonly state: PartitionState
  readonly tag: WriteTag
  readonly hashes: HashPart[]
  readonly left: InvocationId[]
  readonly leases: LeaseWrite[]
  readonly ops: Op[]
  /** What it means for those who don't follow events. */
  news: News
  /** The part that a run's fields went to last. */
  lastRun: { readonly id: RunId; readonly part: HashPart } | null
}

/** A unit to which nothing was added yet. */
export const newDraft = (state: PartitionState, tag: WriteTag): Draft => ({
  state,
  tag,
  hashes: [],
  left: [],
  leases: [],
  ops: [],
  news: noNews,
  lastRun: null,
})

/** The same of a run's hash. A unit is of one run, mostly: its key is put together and compared once. */
export function hashOfRun(draft: Draft, id: RunId): HashPart {
  const { lastRun } = draft
  if (lastRun?.id === id && hasRoom(lastRun.part)) return lastRun.part
  const part = hashOf(draft, draft.state.keys.run(id))
  draft.lastRun = { id, part }
  return part
}

/** A script passes a part on at once, and its stack has an end. */
const fieldsMax = 250

const hasRoom = ({ written, looked, placed }: HashPart): boolean =>
  written.length + looked.length + placed.length < fieldsMax

/** The part of the hash that has room for more. */
export function hashOf({ hashes }: Draft, key: string): HashPart {
  for (let index = hashes.length - 1; index >= 0; index -= 1) {
    const part = hashes[index]
    if (part?.key !== key) continue
    if (hasRoom(part)) return part
    break
  }
  const made: HashPart = { key, written: [], looked: [], placed: [], sets: [] }
  hashes.push(made)
  return made
}
