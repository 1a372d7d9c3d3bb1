/** How the runners take turns at the periodic chores, and how the last turns went. */

import type { RunnerId } from '../model/ids.ts'
import type { Instant, Millis } from '../model/time.ts'

/** A turn at the chores, or one that was not allowed to begin. */
export interface AtomicServiceTurn {
  readonly id: string
  readonly runnerId: RunnerId
  /** `slot`: elected by its slot; the others begin at once, in whosever slot that is. */
  readonly kind: 'slot' | 'due' | 'event' | 'lost-lease'
  readonly status: 'RUNNING' | 'COMPLETED' | 'ABANDONED' | 'BLOCKED'
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly slotStart: Instant | null
  readonly slotEnd: Instant | null
  /** Why it was blocked or abandoned; null when it wasn't. */
  readonly reason: string | null
}

/** The place of one runner in the cycle. */
export interface AtomicServiceSlot {
  readonly runnerId: RunnerId
  /** From 0, oldest first. */
  readonly position: number
  /** When it was first seen: what the order is by. */
  readonly createdAt: Instant
  /** Its window in the cycle that is on: from `slotStart` up to, not including, `slotEnd`; null for none. */
  readonly slotStart: Instant | null
  readonly slotEnd: Instant | null
  /** Its next window begins then; null when it has none. */
  readonly nextStart: Instant | null
  readonly isOwnerNow: boolean
  /** What the election says of it now: ASSIGNED, NOT_ASSIGNED_SLOT, LATE_START … */
  readonly reason: string
  /** The same in words; null when it may begin. */
  readonly skipMessage: string | null
}

export interface AtomicServiceStatus {
  readonly now: Instant
  /** The length of a cycle, in which each runner has one slot. */
  readonly intervalMs: Millis
  /** What is really taken off the end of each slot. */
  readonly marginMs: Millis
  /** The turn that is on; null while none is. */
  readonly running: AtomicServiceTurn | null
  /** The runners that may take a turn, in their order. */
  readonly slots: readonly AtomicServiceSlot[]
  /** The last turns, newest first. */
  readonly turns: readonly AtomicServiceTurn[]
}
