/** A month of schedules before it has come: what starts on each day, and where it gets tight. */

import type { Instant, Millis } from './time.ts'

export interface MonthView {
  readonly timeZone: string
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly days: readonly MonthDay[]
  readonly schedules: readonly MonthSchedule[]
  /** Schedules that can't be read as they are, with the reason. */
  readonly unreadable: readonly { readonly id: string; readonly message: string }[]
}

export interface MonthDay {
  /** 2026-03-29. */
  readonly date: string
  readonly startAt: Instant
  /** Slots of the day, over all schedules. */
  readonly firesCount: number
  readonly fires: readonly { readonly id: string; readonly count: number }[]
  /** Slots whose run before would still go on, and which are skipped for it. */
  readonly skippedCount: number
  /** The most runs that want to go on at once, and which schedules they are of; null when none do. */
  readonly peak: { readonly at: Instant; readonly count: number; readonly ids: readonly string[] } | null
  /** What runs are expected to wait for a free worker, or for the run before them. */
  readonly waits: { readonly count: number; readonly longestMs: Millis }
  /** How far the zone's clocks are set that day: +1 h, −1 h; 0 on ordinary days. */
  readonly clockShiftMs: Millis
  /** Slots that changing clocks move or double, by schedule. */
  readonly shifted: readonly { readonly id: string; readonly at: Instant; readonly change: string }[]
  /** On the last day of the month: schedules of days that this month doesn't have. */
  readonly missing: readonly { readonly id: string; readonly day: number }[]
}

export interface MonthSchedule {
  readonly id: string
  readonly words: string
  readonly firesCount: number
  /**
   * True for one that comes so often that its slots were counted without looking at each: waits and peaks
   * don't know of it.
   */
  readonly isCounted: boolean
  /** How long its runs take, as far as is known. */
  readonly durationMs: Millis | null
}
