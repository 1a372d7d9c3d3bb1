/** What a process remembers of one of its own operations, until every replica surely has it. */

import type { OpId } from '../../../model/ids.ts'
import type { Instant } from '../../../model/time.ts'
import type { Unit } from '../unit.ts'

/** A place in a partition's feed. */
export interface Place {
  readonly epoch: number
  readonly seq: number
}

/** An operation that was written, and all that is needed to write it again. */
export interface JournalEntry {
  /** Grows with each one of a journal. */
  readonly number: number
  /** The same when it was written last: only a replica that has come further than that has it. */
  turn: number
  readonly partition: number
  readonly opId: OpId
  readonly notedAt: Instant
  /** About what it takes, in bytes. */
  readonly size: number
  /** The newest event when it was written: its own last one, where it has events. */
  place: Place
  /** Packed for the epoch of the place; its tokens are those that it was written with. */
  unit: Unit
}

/** Negative when `a` comes before `b`. */
export const comparePlaces = (a: Place, b: Place): number => a.epoch - b.epoch || a.seq - b.seq
