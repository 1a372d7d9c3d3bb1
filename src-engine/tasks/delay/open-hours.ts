/** When it is open next: hours of the day in a time zone, but for days that are left out. Pure. */

import type { LeftOutDays } from '../../model/left-out-days.ts'
import type { Instant } from '../../model/time.ts'
import { day, minute } from '../../model/time.ts'
import { zoneClock } from './zone-clock.ts'

export interface OpenHours {
  readonly zone: string
  /** Minutes since midnight; it is open from the first to before the second. */
  readonly fromMinute: number
  readonly toMinute: number
  readonly isLeftOut: LeftOutDays
}

/** Longer holidays than the timers reach make no sense. */
const daysAheadMax = 3_660

/** The instant itself while it is open, else the next opening; null where no day of the next ten years is open. */
export function nextOpen(at: Instant, { zone, fromMinute, toMinute, isLeftOut }: OpenHours): Instant | null {
  const { wallAt, instantOf } = zoneClock(zone)
  const today = Math.floor(wallAt(at) / day)
  for (let date = today; date <= today + daysAheadMax; date += 1) {
    if (isLeftOut(date)) continue
    const opens = instantOf(date * day + fromMinute * minute)
    const closes = instantOf(date * day + toMinute * minute)
    // A change of the clock may leave nothing of a short day.
    if (at < closes && opens < closes) return Math.max(at, opens)
  }
  return null
}
