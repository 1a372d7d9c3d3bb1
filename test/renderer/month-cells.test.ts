/** A month of schedules as a calendar. */

import { describe, expect, test } from 'vitest'
import type { MonthDay } from '../../src-engine/model/month-view.ts'
import { hour, minute } from '../../src-engine/model/time.ts'
import { dayAfter, dayLines } from '../../src-renderer/panels/engine-page/schedules/day-lines.ts'
import { monthAt, monthCells } from '../../src-renderer/panels/engine-page/schedules/month-cells.ts'

const day = (date: string, more: Partial<MonthDay> = {}): MonthDay => ({
  date,
  startAt: Date.parse(date),
  firesCount: 0,
  fires: [],
  skippedCount: 0,
  peak: null,
  waits: { count: 0, longestMs: 0 },
  clockShiftMs: 0,
  shifted: [],
  missing: [],
  ...more,
})

const titles = { 'reports/daily': 'Reports' }

describe('the calendar of a month', () => {
  test('begins with the days of the week before its first one', () => {
    // 1 March 2026 is a Sunday, 1 June 2026 a Monday.
    expect(monthCells({ titles, days: [day('2026-03-01')] }).map((cell) => cell?.day ?? null)).toEqual([
      ...[null, null, null, null, null, null, 1],
    ])
    expect(monthCells({ titles, days: [day('2026-06-01')] })[0]?.day).toBe(1)
  })

  test('is warmest where most starts are', () => {
    const days = [0, 1, 50, 100].map((firesCount, index) => day(`2026-06-0${index + 1}`, { firesCount }))
    expect(monthCells({ titles, days }).map((cell) => [cell?.heat, cell?.starts])).toEqual([
      [0, ''],
      [1, '1 start'],
      [2, '50 starts'],
      [4, '100 starts'],
    ])
  })

  test('tells what gets tight, and marks it; what clocks do is told by itself', () => {
    const [tight, plain] = monthCells({
      titles,
      days: [
        day('2026-06-01', {
          firesCount: 9,
          skippedCount: 2,
          waits: { count: 3, longestMs: 20 * minute },
          peak: { at: 0, count: 4, ids: [] },
          missing: [{ id: 'reports/daily', day: 31 }],
          shifted: [{ id: 'gone', at: 0, change: 'gap' }],
          clockShiftMs: hour,
        }),
        day('2026-06-02', { firesCount: 2, clockShiftMs: -hour, peak: { at: 0, count: 1, ids: [] } }),
      ],
    })
    expect(tight).toMatchObject({
      isTight: true,
      notes: [
        '2 skipped: the run before goes on',
        '3 wait, up to 20 m 00 s',
        'moved: gone',
        'not this month: Reports',
        'clocks go forward',
        '4 at once',
      ],
    })
    expect(plain).toMatchObject({ isTight: false, notes: ['clocks go back'] })
  })

  test('months go on over the end of the year', () => {
    expect(monthAt({ year: 2026, month: 11 }, 3)).toEqual({ year: 2027, month: 2 })
    expect(monthAt({ year: 2026, month: 1 }, -1)).toEqual({ year: 2025, month: 12 })
    expect(monthAt({ year: 2026, month: 12 }, 0)).toEqual({ year: 2026, month: 12 })
  })
})

test('a day says what starts, busiest first, when most is at once, and what clocks do', () => {
  const at = Date.parse('2026-03-29T01:30:00Z')
  const lines = dayLines(
    day('2026-03-29', {
      firesCount: 5,
      fires: [
        { id: 'gone', count: 1 },
        { id: 'reports/daily', count: 4 },
      ],
      peak: { at, count: 2, ids: ['reports/daily', 'gone'] },
      shifted: [{ id: 'gone', at, change: 'gap' }],
    }),
    { titles, timeZone: 'Europe/Lisbon' },
  )
  expect(lines).toEqual({
    starts: [
      { id: 'reports/daily', name: 'Reports', count: 4 },
      { id: 'gone', name: 'gone', count: 1 },
    ],
    notes: ['Most at once: 2 at 02:30, of Reports, gone', 'gone: at 02:30, clocks skip its time that day'],
  })
})

test('arrows go from day to day and week to week, and stay in the month', () => {
  expect(
    ['ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'End', 'x'].map((key) => dayAfter(key, 3, 30)),
  ).toEqual([4, 10, 3, 2, 29, 3])
})
