/**
 * The strip of a month: what schedules start on each day of it, how tight it gets, and where clocks or the
 * month's end play tricks. It plays the month, so it knows no more of it than schedules and durations say.
 */

import type { MonthDay, MonthSchedule, MonthView } from '../../model/month-view.ts'
import type { Instant } from '../../model/time.ts'
import { day as dayMs } from '../../model/time.ts'
import { describeSchedule } from './cron-words.ts'
import type { Fires, PlannedSchedule, ReadSchedule } from './month-fires.ts'
import { firesOf, readSchedules } from './month-fires.ts'
import type { DayLoad } from './month-load.ts'
import { playLoad } from './month-load.ts'
import type { ZoneTable } from './zone-table.ts'
import { changesOf, instantOf, zoneTable } from './zone-table.ts'

export interface MonthRequest {
  readonly timeZone: string
  readonly year: number
  /** From 1. */
  readonly month: number
  /** How many runs can go on at once. */
  readonly workers: number
}

/** A day of the zone: from one instant up to another, which are 23, 24 or 25 hours apart, or others. */
interface DaySpan {
  readonly date: string
  readonly from: Instant
  readonly to: Instant
}

/** More than a day of 25 hours has seconds. */
const slotsOfDayMax = 100_000

/** The month of schedules. Throws `bad_request` for an unknown zone. */
export function monthOf(planned: readonly PlannedSchedule[], request: MonthRequest): MonthView {
  const { timeZone, year, month, workers } = request
  const zone = zoneTable(timeZone)
  const spans = spansOf(zone, year, month)
  const { schedules, unreadable } = readSchedules(planned)
  const [start, end] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0]
  // A day early: what has begun by then may go on into the month.
  const fires = firesOf(schedules, { after: start - dayMs - 1, upTo: end - 1 })
  const dayOf = dayFinder(spans)
  const loads = playLoad(schedules, fires, { workers, dayOf, count: spans.length })
  const counts = countFires({ schedules, fires, dayOf, spans })
  const shifted = shiftedSlots(schedules, { start, end })
  const days = spans.map((span, index): MonthDay => {
    const firesOfDay = schedules.flatMap(({ id }, place) => {
      const count = counts[index]?.[place] ?? 0
      return count === 0 ? [] : [{ id, count }]
    })
    return {
      date: span.date,
      startAt: span.from,
      firesCount: firesOfDay.reduce((sum, { count }) => sum + count, 0),
      fires: firesOfDay,
      ...loadOf(loads[index]),
      clockShiftMs: shiftOf(zone, span),
      shifted: shifted.filter(({ at }) => dayOf(at) === index),
      missing: index === spans.length - 1 ? missingDays(schedules, month, spans.length) : [],
    }
  })
  return {
    ...{ timeZone, year, month, days, unreadable },
    schedules: schedules.map((one, place) => toMonthSchedule(one, counts, place)),
  }
}

function loadOf(load: DayLoad | undefined): Pick<MonthDay, 'skippedCount' | 'peak' | 'waits'> {
  const { skipped = 0, peak = null, waits = 0, longestWaitMs = 0 } = load ?? {}
  return { skippedCount: skipped, peak, waits: { count: waits, longestMs: longestWaitMs } }
}

function toMonthSchedule(
  { id, calculator, parameters, isLookedAt, durationMs }: ReadSchedule,
  counts: readonly Int32Array[],
  place: number,
): MonthSchedule {
  return {
    id,
    words: describeSchedule(calculator, parameters),
    firesCount: counts.reduce((sum, ofDay) => sum + (ofDay[place] ?? 0), 0),
    isCounted: !isLookedAt,
    durationMs,
  }
}

function spansOf(zone: ZoneTable, year: number, month: number): readonly DaySpan[] {
  const spans: DaySpan[] = []
  const end = Date.UTC(year, month) / dayMs
  for (let day = Date.UTC(year, month - 1) / dayMs; day < end; day += 1) {
    const [from, to] = [instantOf(zone, day * 86_400) * 1000, instantOf(zone, (day + 1) * 86_400) * 1000]
    spans.push({ date: new Date(day * dayMs).toISOString().slice(0, 10), from, to })
  }
  return spans
}

/** The place of the day of an instant; -1 outside of the month. */
function dayFinder(spans: readonly DaySpan[]): (at: Instant) => number {
  const first = spans[0]?.from ?? 0
  return (at) => {
    // Days are about equally long: the guess is off by one at most, and by two where one is left out.
    const guess = Math.floor((at - first) / dayMs)
    for (let index = guess - 2; index <= guess + 2; index += 1) {
      const span = spans[index]
      if (span !== undefined && at >= span.from && at < span.to) return index
    }
    return -1
  }
}

function countFires({
  schedules,
  fires,
  dayOf,
  spans,
}: {
  readonly schedules: readonly ReadSchedule[]
  readonly fires: Fires
  readonly dayOf: (at: Instant) => number
  readonly spans: readonly DaySpan[]
}): readonly Int32Array[] {
  const counts = spans.map(() => new Int32Array(schedules.length))
  for (let index = 0; index < fires.count; index += 1) {
    const ofDay = counts[dayOf(fires.at(index))]
    const place = fires.schedule(index)
    if (ofDay !== undefined) ofDay[place] = (ofDay[place] ?? 0) + 1
  }
  for (const [place, schedule] of schedules.entries()) {
    if (schedule.isLookedAt) continue
    for (const [index, span] of spans.entries()) {
      const ofDay = counts[index]
      if (ofDay !== undefined) ofDay[place] = countOnly(schedule, span)
    }
  }
  return counts
}

/** Slots of a day, for schedules that come very often: where it can be told, without looking at each. */
function countOnly({ calculator, parameters, timesPerDay }: ReadSchedule, { from, to }: DaySpan): number {
  const { fields } = calculator
  if (fields === null) return calculator.between(from - 1, to - 1, slotsOfDayMax).length
  const { isEveryDay, isEveryWeekday, months } = fields
  const { startAt = '', endAt = '', except = [] } = parameters
  const isEachDay = isEveryDay && isEveryWeekday && months.length === 12 && except.length === 0
  const zone = zoneTable(calculator.timeZone)
  const isOrdinary = to - from === dayMs && changesOf(zone, from / 1000, to / 1000).length === 0
  const isOneDay = (from + calculator.offsetAt(from)) % dayMs === 0
  if (!isOrdinary || startAt !== '' || endAt !== '' || !(isEachDay || isOneDay))
    return calculator.between(from - 1, to - 1, slotsOfDayMax).length
  const first = calculator.next(from - 1)
  return first === null || first >= to ? 0 : timesPerDay
}

function shiftOf(zone: ZoneTable, { from, to }: DaySpan): number {
  const [first, last] = [zone.at(from / 1000), zone.at(to / 1000 - 1)]
  return (last.offset - first.offset) * 1000
}

/** Slots near changes of the clocks of their own zones. */
function shiftedSlots(
  schedules: readonly ReadSchedule[],
  { start, end }: { readonly start: Instant; readonly end: Instant },
): MonthDay['shifted'] {
  return schedules.flatMap(({ id, calculator, isLookedAt }) => {
    if (!isLookedAt) return []
    const changes = changesOf(zoneTable(calculator.timeZone), start / 1000, end / 1000)
    const found = new Map<Instant, string>()
    for (const change of changes) {
      const near = { from: (change - 7_200) * 1000, to: (change + 7_200) * 1000 }
      for (const at of calculator.between(near.from, near.to, 500)) {
        const how = calculator.changeAt(at)
        if (how !== null && at >= start && at < end) found.set(at, how)
      }
    }
    return [...found].map(([at, how]) => ({ id, at, change: how }))
  })
}

/** Days that a schedule names and the month doesn't have: what is meant by “the 31st” in April? */
function missingDays(schedules: readonly ReadSchedule[], month: number, length: number): MonthDay['missing'] {
  return schedules.flatMap(({ id, calculator }) => {
    if (calculator.fields === null) return []
    const { isEveryDay, isEveryWeekday, days, months } = calculator.fields
    if (isEveryDay || !isEveryWeekday || days.length === 31 || !months.includes(month)) return []
    return days.filter((day) => day > length).map((day) => ({ id, day }))
  })
}
