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
