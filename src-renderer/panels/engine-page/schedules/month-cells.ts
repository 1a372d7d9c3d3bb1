/** A month of schedules as the cells of a calendar. */

import type { MonthDay } from '../../../../src-engine/model/month-view.ts'
import type { ScheduleMonth } from '../../../../src-engine/protocol/triggers.ts'
import { fill } from '../../../text/messages.ts'
import { schedules as words } from '../../../text/schedule-words.ts'
import { spanWords } from '../../../ui/time-words.ts'

export interface MonthCell {
  readonly date: string
  /** 1 to 31. */
  readonly day: number
  /** Of the starts of the busiest day: 0 for none, 4 for as many. */
  readonly heat: number
  readonly starts: string
  /** What people should know of the day, the weightiest first. */
  readonly notes: readonly string[]
  /** Something waits, is skipped, moved or missing. */
  readonly isTight: boolean
}

/** The cells, Mondays first; null before the first day. */
export function monthCells(view: Pick<ScheduleMonth, 'days' | 'titles'>): readonly (MonthCell | null)[] {
  const { days, titles } = view
  const most = Math.max(1, ...days.map(({ firesCount }) => firesCount))
  const first = days[0]
  // 0 is Sunday.
  const weekday = first === undefined ? 1 : new Date(`${first.date}T00:00Z`).getUTCDay()
  return [
    ...Array.from({ length: (weekday + 6) % 7 }, () => null),
    ...days.map((day) => cellOf(day, titles, most)),
  ]
}

function cellOf(day: MonthDay, titles: ScheduleMonth['titles'], most: number): MonthCell {
  const { firesCount: count } = day
  const warnings = warningsOf(day, titles)
  const shift = day.clockShiftMs === 0 ? [] : [day.clockShiftMs > 0 ? words.forward : words.back]
  const peak = day.peak?.count ?? 0
  return {
    date: day.date,
    day: Number(day.date.slice(8)),
    heat: count === 0 ? 0 : Math.max(1, Math.round((4 * count) / most)),
    starts:
      count === 0
        ? ''
        : count === 1
          ? words.start
          : fill(words.starts, { count: count.toLocaleString('en-GB') }),
    notes: [...warnings, ...shift, ...(peak < 2 ? [] : [fill(words.atOnce, { count: String(peak) })])],
    isTight: warnings.length > 0,
  }
}

function warningsOf(day: MonthDay, titles: ScheduleMonth['titles']): readonly string[] {
  const { waits, skippedCount, shifted, missing } = day
  const names = (marked: readonly { readonly id: string }[]): string =>
    [...new Set(marked.map(({ id }) => titles[id] ?? id))].join(', ')
  return [
    ...(skippedCount === 0 ? [] : [fill(words.skipped, { count: String(skippedCount) })]),
    ...(waits.count === 0
      ? []
      : [fill(words.waits, { count: String(waits.count), span: spanWords(waits.longestMs) })]),
    ...(shifted.length === 0 ? [] : [fill(words.moved, { names: names(shifted) })]),
    ...(missing.length === 0 ? [] : [fill(words.missing, { names: names(missing) })]),
  ]
}

/** The month that is so many months away. */
export function monthAt(
  { year, month }: { readonly year: number; readonly month: number },
  away: number,
): { readonly year: number; readonly month: number } {
  const index = year * 12 + month - 1 + away
  return { year: Math.floor(index / 12), month: (index % 12) + 1 }
}
