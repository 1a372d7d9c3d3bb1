/**
 * When a wall clock that never jumps shows what a cron expression names. Its times are seconds since 1970 as
 * if the zone were UTC; which instants they are is the calculator's part.
 */

import type { LeftOutDays } from '../../model/left-out-days.ts'
import type { CronFields } from './cron-fields.ts'

/** The first and the last wall-clock second that is looked at: what lies outside of it doesn't fire. */
export const wallMin = Date.UTC(1970, 0) / 1000
export const wallMax = Date.UTC(2200, 0) / 1000 - 1

const daySeconds = 86_400

export interface WallClock {
  /** The first time at or after a time; null when there is none any more. */
  readonly atOrAfter: (wall: number) => number | null
  /** The last time at or before a time; null when there is none. */
  readonly atOrBefore: (wall: number) => number | null
}

/** What decides about whole days. */
interface Days extends CronFields {
  readonly isLeftOut: LeftOutDays
}

/** The wall clock of an expression, without the days that are left out. */
export function wallClockOf(expression: CronFields, isLeftOut: LeftOutDays): WallClock {
  const fields: Days = { ...expression, isLeftOut }
  const [first, last] = [timeOf(fields, 0), timeOf(fields, -1)]
  let latest = { day: Number.NaN, isDay: false }
  const isKnownDay = (day: number): boolean => {
    if (latest.day !== day) latest = { day, isDay: isDay(fields, day) }
    return latest.isDay
  }
  return {
    atOrAfter: (wall) => {
      const from = Math.max(wall, wallMin)
      const day = Math.floor(from / daySeconds)
      const today = isKnownDay(day) ? timeAtOrAfter(fields, from - day * daySeconds) : null
      if (today !== null) return upToMax(day * daySeconds + today)
      const next = nextDay(fields, day + 1)
      return next === null ? null : next * daySeconds + first
    },
    atOrBefore: (wall) => {
      const from = Math.min(wall, wallMax)
      const day = Math.floor(from / daySeconds)
      const today = isKnownDay(day) ? timeAtOrBefore(fields, from - day * daySeconds) : null
      if (today !== null) return today + day * daySeconds < wallMin ? null : day * daySeconds + today
      const previous = previousDay(fields, day - 1)
      return previous === null ? null : previous * daySeconds + last
    },
  }
}

const upToMax = (wall: number): number | null => (wall > wallMax ? null : wall)

function timeOf({ hours, minutes, seconds }: CronFields, index: number): number {
  return (hours.at(index) ?? 0) * 3600 + (minutes.at(index) ?? 0) * 60 + (seconds.at(index) ?? 0)
}

function timeAtOrAfter(fields: CronFields, time: number): number | null {
  const [hourNow, minuteNow, secondNow] = split(time)
  const [firstMinute, firstSecond] = [fields.minutes[0] ?? 0, fields.seconds[0] ?? 0]
  for (const hour of fields.hours) {
    if (hour < hourNow) continue
    if (hour > hourNow) return hour * 3600 + firstMinute * 60 + firstSecond
    for (const minute of fields.minutes) {
      if (minute < minuteNow) continue
      if (minute > minuteNow) return hour * 3600 + minute * 60 + firstSecond
      for (const second of fields.seconds) if (second >= secondNow) return hour * 3600 + minute * 60 + second
    }
  }
  return null
}

function timeAtOrBefore(fields: CronFields, time: number): number | null {
  const [hourNow, minuteNow, secondNow] = split(time)
  const [lastMinute, lastSecond] = [fields.minutes.at(-1) ?? 0, fields.seconds.at(-1) ?? 0]
  for (const hour of fields.hours.toReversed()) {
    if (hour > hourNow) continue
    if (hour < hourNow) return hour * 3600 + lastMinute * 60 + lastSecond
    for (const minute of fields.minutes.toReversed()) {
      if (minute > minuteNow) continue
      if (minute < minuteNow) return hour * 3600 + minute * 60 + lastSecond
      const second = fields.seconds.findLast((one) => one <= secondNow)
      if (second !== undefined) return hour * 3600 + minute * 60 + second
    }
  }
  return null
}

const split = (time: number): readonly [number, number, number] => [
  Math.floor(time / 3600),
  Math.floor((time % 3600) / 60),
  time % 60,
]

/** The first day that counts, from a day on; whole months that don't count are passed at once. */
function nextDay(fields: Days, from: number): number | null {
  const end = Math.floor(wallMax / daySeconds)
  for (let day = from; day <= end; ) {
    const date = new Date(day * daySeconds * 1000)
    if (!fields.months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000 / daySeconds
      continue
    }
    if (isDay(fields, day)) return day
    day += 1
  }
  return null
}

function previousDay(fields: Days, from: number): number | null {
  const end = Math.floor(wallMin / daySeconds)
  for (let day = from; day >= end; ) {
    const date = new Date(day * daySeconds * 1000)
    if (!fields.months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0) / 1000 / daySeconds
      continue
    }
    if (isDay(fields, day)) return day
    day -= 1
  }
  return null
}

/** Whether a day counts. With both day fields narrowed, either is enough. */
function isDay(fields: Days, day: number): boolean {
  const date = new Date(day * daySeconds * 1000)
  if (!fields.months.includes(date.getUTCMonth() + 1)) return false
  const dayOfMonth = date.getUTCDate()
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const weekday = date.getUTCDay()
  const byDay = fields.days.includes(dayOfMonth) || (fields.isLastDay && dayOfMonth === daysInMonth)
  const byWeekday =
    (fields.weekdays.includes(weekday) &&
      (fields.nth === null || Math.ceil(dayOfMonth / 7) === fields.nth)) ||
    (fields.lastWeekdays.includes(weekday) && dayOfMonth > daysInMonth - 7)
  const isNamed = fields.isEveryDay
    ? fields.isEveryWeekday || byWeekday
    : byDay || (byWeekday && !fields.isEveryWeekday)
  return isNamed && !fields.isLeftOut(day)
}
