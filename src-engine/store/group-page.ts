/** How the feed is read in the groups that a store keeps. */

import type { PartitionCursor } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import type { PackedGroup } from '../model/packed-group.ts'

/** As an `EventQuery`; of the newest events, too, for a follower has no end. */
export interface GroupQuery {
  readonly after: PartitionCursor
  readonly runId: RunId | null
  /** Of events. */
  readonly limit: number
}

/** Groups from a place on, each with an event after it. */
export interface GroupPage {
  readonly groups: readonly PackedGroup[]
  /** The place after all that was looked at, which may be other runs' events. */
  readonly end: PartitionCursor
  /** Whether the limit ended it: more may be there. */
  readonly isFull: boolean
}

/** What a query gathers, whichever store it is asked of. */
export class GroupGathering {
  readonly #query: GroupQuery
  readonly #groups: PackedGroup[] = []
  #count = 0
  /** The place after the last group that was looked at. */
  #end: PartitionCursor | null = null

  constructor(query: GroupQuery) {
    this.#query = query
  }

  /** Takes the next one, if it is asked for; says whether there is room for more. */
  add(group: PackedGroup): boolean {
    const { after, runId, limit } = this.#query
    const passed = passedOf(group, after)
    const { partition, epoch, seq, count } = group
    if (passed >= count) return this.#count < limit
    this.#end = { partition, epoch, seq: seq + count - 1 }
    if (runId !== null && group.runId !== runId) return true
    this.#groups.push(passed === 0 ? group : { ...group, only: indexes(passed, count) })
    this.#count += count - passed
    return this.#count < limit
  }

  /** How many events there is room for. */
  get room(): number {
    return Math.max(0, this.#query.limit - this.#count)
  }

  /**
   * What was gathered. `newest` is the feed's end as it was known before it was read, up to which all was looked at
   * unless the limit ended it; null where nobody knows it.
   */
  page(newest: PartitionCursor | null): GroupPage {
    const isFull = this.room === 0
    const last = this.#end
    // Somebody else may have written on since the end was looked at.
    const isLastNews = last !== null && (newest === null || isFull || isAfter(last, newest))
    return { groups: this.#groups, end: isLastNews ? last : (newest ?? this.#query.after), isFull }
  }
}

/** How many of a group's events lie at or before a place. */
const passedOf = ({ epoch, seq, count }: PackedGroup, after: PartitionCursor): number =>
  epoch === after.epoch ? Math.max(0, after.seq - seq + 1) : epoch < after.epoch ? count : 0

const isAfter = (place: PartitionCursor, other: PartitionCursor): boolean =>
  place.epoch > other.epoch || (place.epoch === other.epoch && place.seq > other.seq)

const indexes = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)
