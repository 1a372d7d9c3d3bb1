/** Hours within which a delay goes on: zones, changes of the clock, holidays. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { readLeftOutDays } from '../../../src-engine/model/left-out-days.ts'
import { minuteOfDay } from '../../../src-engine/model/wall-time.ts'
import { nextOpen } from '../../../src-engine/tasks/delay/open-hours.ts'
import { delayRun } from '../../../src-engine/tasks/delay/run.ts'
import { delaySpec } from '../../../src-engine/tasks/delay/spec.ts'
import { zoneClock } from '../../../src-engine/tasks/delay/zone-clock.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const at = (text: string): number => Date.parse(text)
const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString()

describe('the clock of a zone', () => {
  test.for<[string, string, string, string]>([
    ['winter', 'Europe/Amsterdam', '2030-01-15T09:00:00Z', '2030-01-15T08:00:00.000Z'],
    ['summer', 'Europe/Amsterdam', '2030-07-15T09:00:00Z', '2030-07-15T07:00:00.000Z'],
    // 31 March 2030: 02:00 becomes 03:00.
    ['a time that is skipped', 'Europe/Amsterdam', '2030-03-31T02:30:00Z', '2030-03-31T01:30:00.000Z'],
    // 27 October 2030: 03:00 becomes 02:00.
    ['a time that comes twice', 'Europe/Amsterdam', '2030-10-27T02:30:00Z', '2030-10-27T00:30:00.000Z'],
    ['half an hour beside', 'Asia/Kolkata', '2030-01-15T09:00:00Z', '2030-01-15T03:30:00.000Z'],
    ['far west', 'Pacific/Honolulu', '2030-01-15T20:00:00Z', '2030-01-16T06:00:00.000Z'],
  ])('%s', ([, zone, wall, instant]) => {
    expect(iso(zoneClock(zone).instantOf(at(wall)))).toBe(instant)
  })

  test('shows midnight as the beginning of the day, and parts of a second', () => {
    const { wallAt } = zoneClock('Europe/Amsterdam')
    expect(iso(wallAt(at('2030-01-14T23:00:00.125Z')))).toBe('2030-01-15T00:00:00.125Z')
  })
})

describe('hours', () => {
  const hours = (from = '09:00', to = '17:00', except: readonly string[] = ['SAT', 'SUN']) => {
    const isLeftOut = readLeftOutDays(except)
    if (typeof isLeftOut === 'string') throw new RangeError(isLeftOut)
    return { zone: 'Europe/Amsterdam', fromMinute: minuteOfDay(from), toMinute: minuteOfDay(to), isLeftOut }
  }
  test.for<[string, string, string]>([
    // 15 March 2030 is a Friday.
    ['inside of them it is now', '2030-03-15T12:34:56.789Z', '2030-03-15T12:34:56.789Z'],
    ['before them it is today', '2030-03-15T05:00:00Z', '2030-03-15T08:00:00.000Z'],
    ['at their beginning it is now', '2030-03-15T08:00:00Z', '2030-03-15T08:00:00.000Z'],
    ['at their end it is the next day, past the weekend', '2030-03-15T16:00:00Z', '2030-03-18T08:00:00.000Z'],
    // The clock changes on Sunday the 31st: Monday opens an hour earlier in UTC.
    [
      'over a change of the clock they stay what they are',
      '2030-03-29T17:00:00Z',
      '2030-04-01T07:00:00.000Z',
    ],
    ['in autumn, too', '2030-10-25T17:00:00Z', '2030-10-28T08:00:00.000Z'],
    ['the zone says which day it is', '2030-03-17T23:30:00Z', '2030-03-18T08:00:00.000Z'],
  ])('%s', ([, from, open]) => {
    expect(iso(nextOpen(at(from), hours()))).toBe(open)
  })

  test('days that are given as dates are left out', () => {
    const holidays = hours('09:00', '17:00', ['SAT', 'SUN', '2030-12-25..2030-12-27', '01-01'])
    expect(iso(nextOpen(at('2030-12-24T20:00:00Z'), holidays))).toBe('2030-12-30T08:00:00.000Z')
    expect(iso(nextOpen(at('2030-12-31T20:00:00Z'), holidays))).toBe('2031-01-02T08:00:00.000Z')
  })

  test('a whole day is open until midnight, and what the clock skips is no day', () => {
    expect(iso(nextOpen(at('2030-03-15T22:59:59Z'), hours('00:00', '24:00')))).toBe(
      '2030-03-15T22:59:59.000Z',
    )
    const skipped = hours('02:00', '03:00', [])
    expect(iso(nextOpen(at('2030-03-30T23:30:00Z'), skipped))).toBe('2030-04-01T00:00:00.000Z')
  })

  test('there is none where every day is left out', () => {
    expect(nextOpen(0, hours('09:00', '17:00', ['01-01..12-31']))).toBeNull()
  })
})

describe('a delay', () => {
  const start = at('2030-03-15T20:00:00Z')
  const clock = { now: () => start, monotonic: () => 0, after: () => () => {} }
  const wait = async (raw: JsonObject) =>
    delayRun.execute(delaySpec.parameters.parse(raw), taskContext({ clock }))
  const open = { hours: 'open', zone: 'Europe/Amsterdam' }

  test('goes on within its hours, after its span', async () => {
    expect(await wait({ amount: 1, unit: 'hours', ...open })).toMatchObject({
      kind: 'parked',
      until: at('2030-03-18T08:00:00Z'),
    })
    expect(await wait({ amount: 3, unit: 'days', ...open })).toMatchObject({
      until: at('2030-03-19T08:00:00Z'),
    })
    expect(await wait({ amount: 0, ...open, from: '00:00', to: '24:00' })).toMatchObject({
      kind: 'completed',
    })
  })

  test('reads dates without a zone as a clock of its zone shows them', async () => {
    const until = (text: string) => wait({ mode: 'until', until: text, zone: 'Europe/Amsterdam' })
    expect(await until('2030-07-01T09:00')).toMatchObject({ until: at('2030-07-01T07:00:00Z') })
    expect(await until('2030-07-01')).toMatchObject({ until: at('2030-06-30T22:00:00Z') })
    expect(await until('2030-07-01T09:00:00Z')).toMatchObject({ until: at('2030-07-01T09:00:00Z') })
    expect(await wait({ mode: 'until', until: '2030-07-01' })).toMatchObject({
      until: at('2030-07-01T00:00:00Z'),
    })
  })

  test('says what is wrong with its hours', async () => {
    const never = { amount: 1, ...open, except: ['01-01..12-31'] }
    expect(await thrownBy(() => wait(never))).toMatchObject({
      code: 'task_input_invalid',
      details: { field: 'except' },
    })
    const wrong = [
      { hours: 'open' },
      { ...open, from: '17:00', to: '09:00' },
      { zone: 'Mars' },
      { except: ['X'] },
    ]
    for (const raw of wrong) expect(delaySpec.parameters.safeParse(raw).success).toBe(false)
  })
})
