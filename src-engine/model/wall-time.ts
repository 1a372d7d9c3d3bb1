/** Dates and times as people write them into a document: with a zone, or as a clock on the wall shows them. */

import { dayOfDate } from './left-out-days.ts'
import type { Instant, Millis } from './time.ts'
import { day } from './time.ts'

/** `wallMs` counts as if the clock on the wall were UTC's. */
export type WallTime =
  | { readonly kind: 'date' | 'time'; readonly wallMs: Millis }
  | { readonly kind: 'instant'; readonly at: Instant }

/** Reads 2026-03-01, 2026-03-01T09:00(:00) and either with Z or +02:00 behind its time; null for others. */
export function readWallTime(text: string): WallTime | null {
  const [, date = '', hour, minute, second = '00', fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text.trim(),
    ) ?? []
  const dayNumber = dayOfDate(date)
  if (dayNumber === null) return null
  if (hour === undefined || minute === undefined) return { kind: 'date', wallMs: dayNumber * day }
  const wallMs =
    dayNumber * day +
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 +
    Number(fraction.padEnd(3, '0'))
  if (zone === undefined) return { kind: 'time', wallMs }
  if (zone === 'Z') return { kind: 'instant', at: wallMs }
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))]
  const aheadMs = (hours * 60 + minutes) * 60_000
  return { kind: 'instant', at: zone.startsWith('-') ? wallMs + aheadMs : wallMs - aheadMs }
}

/** Minutes since midnight of a time such as 09:00; 24:00 is the end of the day. */
export function minuteOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** Whether a time zone has that name. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * Whether one end of a period is certainly after the other: to the second when both are written alike, else
 * with the day's difference that time zones make.
 */
export function isAfter(one: WallTime, other: WallTime): boolean {
  const [oneIsInstant, otherIsInstant] = [one.kind === 'instant', other.kind === 'instant']
  const slack = oneIsInstant === otherIsInstant ? 0 : day
  // The day of a date that ends a period still counts.
  return msOf(one) >= msOf(other) + slack + (other.kind === 'date' ? day : 1)
}

const msOf = (time: WallTime): Millis => (time.kind === 'instant' ? time.at : time.wallMs)
