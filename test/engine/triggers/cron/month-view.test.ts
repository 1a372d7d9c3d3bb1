/** A month of schedules before it has come. */

import { describe, expect, test } from 'vitest'
import type { MonthDay } from '../../../../src-engine/model/month-view.ts'
import { hour, minute } from '../../../../src-engine/model/time.ts'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import type { PlannedSchedule } from '../../../../src-engine/triggers/cron/month-fires.ts'
import { monthOf } from '../../../../src-engine/triggers/cron/month-view.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { oracleZones, randomCase } from '../../../triggers/oracle-cases.ts'

const march = { timeZone: 'Europe/Berlin', year: 2026, month: 3, workers: 10 }

const schedule = (
  id: string,
  parameters: PlannedSchedule['parameters'],
  durationMs: number | null = null,
): PlannedSchedule => ({ id, parameters, durationMs })

function dayOf(
  planned: readonly PlannedSchedule[],
  date: string,
  more: Partial<typeof march> = {},
): MonthDay {
  const { days } = monthOf(planned, { ...march, month: Number(date.slice(5, 7)), ...more })
  const found = days.find((day) => day.date === date)
  if (found === undefined) throw new Error(`no ${date}`)
  return found
}

describe('the month view', () => {
  test('has a day for each of the month, with what starts on it', () => {
    const planned = [
      schedule('daily', { expression: '0 9 * * *' }),
      schedule('fridays', { expression: '0 9 * * FRI' }),
    ]
    const { days, schedules } = monthOf(planned, { ...march, month: 2 })
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 28 }, (_, index) => `2026-02-${String(index + 1).padStart(2, '0')}`),
    )
    expect(days[5]?.fires).toEqual([
      { id: 'daily', count: 1 },
      { id: 'fridays', count: 1 },
    ])
    expect(days[6]?.firesCount).toBe(1)
    expect(schedules.map(({ words, firesCount }) => [words, firesCount])).toEqual([
      ['every day at 09:00 in UTC', 28],
      ['every Friday at 09:00 in UTC', 4],
    ])
  })

  test('counts what a calculator finds, for random schedules and zones', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const random = createRandomSource(`month ${seed}`)
      const { expression, zone, except } = randomCase(random)
      const timeZone = random.pick(oracleZones)
      const [year, month] = [2008 + random.below(20), 1 + random.below(12)]
      const parameters = { expression, timeZone: zone, except }
      const view = monthOf([schedule('one', parameters)], { timeZone, year, month, workers: 1 })
      const { between } = createCronCalculator(parameters)
      for (const [index, { startAt, firesCount, date }] of view.days.entries()) {
        const next = view.days[index + 1]?.startAt
        if (next === undefined) continue
        const expected = between(startAt - 1, next - 1, 100_000).length
        expect([seed, expression, date, firesCount]).toEqual([seed, expression, date, expected])
      }
    }
  })

  test('marks the days on which clocks change, and the slots that they move or double', () => {
    const planned = [
      schedule('early', { expression: '30 2 * * *', timeZone: 'Europe/Berlin' }),
      schedule('hourly', { expression: '0 * * * *', timeZone: 'Europe/Berlin' }),
      schedule('far', { expression: '30 2 * * *', timeZone: 'Asia/Tokyo' }),
    ]
    const spring = dayOf(planned, '2026-03-29')
    expect(spring.clockShiftMs).toBe(hour)
    expect(spring.shifted).toEqual([{ id: 'early', at: Date.parse('2026-03-29T01:00Z'), change: 'gap' }])
    expect(spring.fires.find(({ id }) => id === 'hourly')?.count).toBe(23)
    const autumn = dayOf(planned, '2026-10-25')
    expect(autumn.clockShiftMs).toBe(-hour)
    expect(autumn.shifted.map(({ id, change }) => [id, change])).toEqual([
      ['early', 'first'],
      ['hourly', 'first'],
      ['hourly', 'second'],
    ])
    expect(dayOf(planned, '2026-03-28')).toMatchObject({ clockShiftMs: 0, shifted: [] })
  })

  test('marks on the last day what is meant for days that the month doesn’t have', () => {
    const planned = [
      schedule('ends', { expression: '0 9 29,31 * *' }),
      schedule('last', { expression: '0 9 L * *' }),
      schedule('or', { expression: '0 9 31 * FRI' }),
    ]
    expect(dayOf(planned, '2026-04-30').missing).toEqual([{ id: 'ends', day: 31 }])
    expect(dayOf(planned, '2026-02-28').missing).toEqual([
      { id: 'ends', day: 29 },
      { id: 'ends', day: 31 },
    ])
    expect(dayOf(planned, '2026-03-31').missing).toEqual([])
    expect(dayOf(planned, '2026-04-29').missing).toEqual([])
  })

  test('tells what runs wait for a worker, from how long they take', () => {
    const planned = ['a', 'b', 'c'].map((id) => schedule(id, { expression: '0 9 * * *' }, 20 * minute))
    expect(dayOf(planned, '2026-03-10', { workers: 1 })).toMatchObject({
      waits: { count: 2, longestMs: 40 * minute },
      peak: { at: Date.parse('2026-03-10T09:00Z'), count: 3, ids: ['a', 'b', 'c'] },
    })
    expect(dayOf(planned, '2026-03-10', { workers: 3 }).waits).toEqual({ count: 0, longestMs: 0 })
  })

  test('tells what a run that still goes on does to the next slot, by the overlap policy', () => {
    const every = { expression: '0 9,10 * * *' }
    const of = (overlap: 'skip' | 'queue' | 'allow' | 'cancel-running'): MonthDay =>
      dayOf([schedule('one', { ...every, overlap }, 90 * minute)], '2026-03-10')
    expect(of('skip')).toMatchObject({ skippedCount: 1, waits: { count: 0 }, peak: { count: 1 } })
    expect(of('queue')).toMatchObject({ skippedCount: 0, waits: { count: 1, longestMs: 30 * minute } })
    expect(of('allow')).toMatchObject({ skippedCount: 0, waits: { count: 0 }, peak: { count: 2 } })
    expect(of('cancel-running')).toMatchObject({ skippedCount: 0, waits: { count: 0 }, peak: { count: 1 } })
  })

  test('a run of the day before goes on into the month', () => {
    const planned = [schedule('long', { expression: '0 20 * * *', overlap: 'queue' }, 26 * hour)]
    expect(dayOf(planned, '2026-03-01').waits).toEqual({ count: 1, longestMs: 2 * hour })
  })

  test('what comes too often to be looked at is counted, and said to be', () => {
    const planned = Array.from({ length: 40 }, (_, index) =>
      schedule(`s${index}`, { expression: '* * * * *' }, minute),
    )
    const { schedules, days } = monthOf(planned, march)
    expect(schedules.filter(({ isCounted }) => isCounted).length).toBeGreaterThan(20)
    expect(days[0]?.firesCount).toBe(40 * 1440)
    expect(days[28]?.firesCount).toBe(40 * 1380)
  })

  test('what can’t be read is named, and the others are shown', () => {
    const planned = [
      schedule('bad', { expression: '0 99 * * *' }),
      schedule('good', { expression: '0 9 * * *' }),
    ]
    const { unreadable, schedules } = monthOf(planned, march)
    expect(unreadable).toEqual([{ id: 'bad', message: expect.stringContaining('“99” is not among 0 to 23') }])
    expect(schedules.map(({ id }) => id)).toEqual(['good'])
  })

  test('200 schedules with thousands of starts a day are there at once', () => {
    const texts = ['0 9 * * 1-5', '*/15 * * * *', '0 * * * *', '30 2 * * *', '0 0 31 * *', '*/5 9-17 * * 1-5']
    const planned = Array.from({ length: 200 }, (_, index) =>
      schedule(
        `s${index}`,
        {
          expression: texts[index % texts.length] ?? '',
          timeZone: oracleZones[index % oracleZones.length] ?? 'UTC',
        },
        (index % 7) * minute,
      ),
    )
    monthOf(planned, march)
    const began = process.cpuUsage().user
    const { days } = monthOf(planned, march)
    const tookMs = (process.cpuUsage().user - began) / 1000
    expect(days[9]?.firesCount).toBeGreaterThan(5_000)
    // About a fifth of a second; the limit is for machines that do other things too.
    expect(tookMs).toBeLessThan(2_000)
  })
})
