/** What a schedule will do, before it does anything: its words and its next slots. */

import type { Instant } from './time.ts'

/**
 * What clocks do to a slot. `gap`: its time doesn't exist that day, and it comes when clocks have been set
 * forward. `first`, `second`: its time exists twice, and this is the one or the other.
 */
export type ClockChange = 'gap' | 'first' | 'second'

export interface PreviewedSlot {
  /** The slot, by which it is known. */
  readonly at: Instant
  /** When its run starts: later than the slot where the schedule is spread. */
  readonly fireAt: Instant
  /** What clocks in the zone show at the slot, with their distance from UTC: 2026-03-29T03:00:00+02:00. */
  readonly local: string
  readonly change: ClockChange | null
}

export interface SchedulePreview {
  /** “every weekday at 09:00 in Lisbon”. */
  readonly words: string
  /** What the schedule does where clocks change, in a sentence; null in a zone whose clocks never do. */
  readonly rule: string | null
  readonly timeZone: string
  /** Fewer than were asked for when the schedule ends; empty when it is over, or never comes. */
  readonly slots: readonly PreviewedSlot[]
}
