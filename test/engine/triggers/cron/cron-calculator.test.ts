/** Slots in zones: where clocks change, which days count, where a schedule begins and ends, and its spread. */

import { describe, expect, test } from 'vitest'
import { day, hour, minute } from '../../../../src-engine/model/time.ts'
import type { CronParameters } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'

const at = (text: string): number => Date.parse(text)

function slots(parameters: CronParameters, after: string, upTo: string): readonly string[] {
  return createCronCalculator(parameters)
    .between(at(after), at(upTo), 100)
    .map((slot) => new Date(slot).toISOString().slice(0, 16))
}

describe('gaps', () => {
  test('a time that doesn’t exist comes at the end of the gap', () => {
    const parameters = { expression: '30 2 * * *', timeZone: 'Europe/Berlin' }
    expect(slots(parameters, '2026-03-28T12:00Z', '2026-03-31T00:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
  })

  test('several times in one gap, and the one at its end, are one slot', () => {
    const parameters = { expression: '0,20,40 2,3 * * *', timeZone: 'Europe/Berlin' }
    expect(slots(parameters, '2026-03-29T00:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T01:20',
      '2026-03-29T01:40',
    ])
  })

  test('an hour with a wildcard or a step counts what exists and makes up for nothing', () => {
    for (const expression of ['30 * * * *', '30 */1 * * *', '30 0-5/1 * * *']) {
      expect(
        slots({ expression, timeZone: 'Europe/Berlin' }, '2026-03-29T00:00Z', '2026-03-29T02:00Z'),
      ).toEqual(['2026-03-29T00:30', '2026-03-29T01:30'])
    }
    expect(
      slots(
        { expression: '30 2/12 * * *', timeZone: 'Europe/Berlin' },
        '2026-03-29T00:00Z',
        '2026-03-29T22:00Z',
      ),
    ).toEqual(['2026-03-29T12:30'])
  })

  test('a gap of half an hour swallows half of the times', () => {
    const parameters = { expression: '15,45 2 * * *', timeZone: 'Australia/Lord_Howe' }
    expect(slots(parameters, '2026-10-03T12:00Z', '2026-10-04T00:00Z')).toEqual([
      '2026-10-03T15:30',
      '2026-10-03T15:45',
    ])
  })

  test('a day that a zone leaves out fires at its end', () => {
    const parameters = { expression: '0 9 * * *', timeZone: 'Pacific/Apia' }
    expect(slots(parameters, '2011-12-29T00:00Z', '2011-12-31T00:00Z')).toEqual([
      '2011-12-29T19:00',
      '2011-12-30T10:00',
      '2011-12-30T19:00',
    ])
  })

  test('a gap at midnight: the first time of the day that exists', () => {
    const parameters = { expression: '0 0 * * *', timeZone: 'Africa/Cairo' }
    expect(slots(parameters, '2024-04-24T12:00Z', '2024-04-26T12:00Z')).toEqual([
      '2024-04-24T22:00',
      '2024-04-25T22:00',
    ])
  })
})

describe('overlaps', () => {
  test('a time that exists twice comes the first time', () => {
    const parameters = { expression: '*/30 2 * * *', timeZone: 'Europe/Berlin' }
    expect(slots(parameters, '2026-10-25T00:00Z', '2026-10-25T12:00Z')).toEqual(['2026-10-25T00:30'])
    expect(slots(parameters, '2026-10-24T23:59:59Z', '2026-10-25T12:00Z')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
    ])
  })

  test('an hour with a wildcard or a step comes both times', () => {
    const parameters = { expression: '0 */2 * * *', timeZone: 'Europe/Berlin' }
    expect(slots(parameters, '2026-10-24T23:00Z', '2026-10-25T04:00Z')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T03:00',
    ])
  })

  test('what comes before is the same backwards', () => {
    const { previous } = createCronCalculator({ expression: '30 2 * * *', timeZone: 'Europe/Berlin' })
    expect(previous(at('2026-10-25T01:45Z'))).toBe(at('2026-10-25T00:30Z'))
    expect(previous(at('2026-10-25T00:30Z'))).toBe(at('2026-10-24T00:30Z'))
    expect(previous(at('2026-03-29T01:00:00.001Z'))).toBe(at('2026-03-29T01:00Z'))
    expect(previous(at('2026-03-29T01:00Z'))).toBe(at('2026-03-28T01:30Z'))
  })
})

describe('days', () => {
  test('with both day fields narrowed, either is enough', () => {
    expect(slots({ expression: '0 0 13 * FRI' }, '2026-11-01T00:00Z', '2026-11-21T00:00Z')).toEqual([
      ...['2026-11-06T00:00', '2026-11-13T00:00', '2026-11-20T00:00'],
    ])
    expect(slots({ expression: '0 0 13 12 FRI' }, '2026-12-05T00:00Z', '2026-12-20T00:00Z')).toEqual([
      ...['2026-12-11T00:00', '2026-12-13T00:00', '2026-12-18T00:00'],
    ])
  })

  test('a schedule whose date never comes has no slot, in no time to speak of', () => {
    for (const expression of ['0 0 30 2 *', '0 0 31 2,4,6 *']) {
      const { next, previous, between } = createCronCalculator({ expression })
      expect([next(0), previous(at('2190-01-01')), between(0, at('2190-01-01'), 10)]).toEqual([
        null,
        null,
        [],
      ])
    }
  })

  test('a fifth Monday of a February is found 28 and 40 years ahead', () => {
    const { next } = createCronCalculator({ expression: '0 0 * 2 MON#5' })
    expect(next(at('2044-03-01'))).toBe(at('2072-02-29'))
    expect(next(at('2072-03-01'))).toBe(at('2112-02-29'))
  })

  test('the years that count end with 2199 and begin with 1970', () => {
    const { next, previous, between } = createCronCalculator({ expression: '0 0 1 1 *' })
    expect(next(at('2199-01-01'))).toBe(null)
    expect(next(at('2198-06-01'))).toBe(at('2199-01-01'))
    expect(previous(at('1970-01-01'))).toBe(null)
    expect(next(at('1900-01-01'))).toBe(at('1970-01-01'))
    expect(previous(at('9999-01-01'))).toBe(at('2199-01-01'))
    expect([next(Number.MAX_SAFE_INTEGER), between(0, at('1975-01-01'), 0)]).toEqual([null, []])
  })

  test('days that are left out have no slot', () => {
    const parameters = { expression: '0 9 * * *', except: ['2026-12-24..2026-12-26', '01-01', 'sat', 'SUN'] }
    expect(slots(parameters, '2026-12-22T12:00Z', '2027-01-05T12:00Z')).toEqual([
      ...['2026-12-23T09:00', '2026-12-28T09:00', '2026-12-29T09:00', '2026-12-30T09:00', '2026-12-31T09:00'],
      ...['2027-01-04T09:00', '2027-01-05T09:00'],
    ])
  })

  test('a stretch of each year may pass the end of the year', () => {
    const parameters = { expression: '0 9 * * *', except: ['12-24..01-02'] }
    expect(slots(parameters, '2026-12-22T12:00Z', '2027-01-03T12:00Z')).toEqual([
      '2026-12-23T09:00',
      '2027-01-03T09:00',
    ])
  })

  test('with every weekday left out there is none', () => {
    const except = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
    const { next, previous } = createCronCalculator({
      expression: '0 9 * * *',
      timeZone: 'Europe/Paris',
      except,
    })
    expect([next(0), previous(at('2100-01-01'))]).toEqual([null, null])
  })

  test('a day is left out by the zone’s date', () => {
    const parameters = { expression: '0 1 * * *', timeZone: 'Asia/Tokyo', except: ['2026-06-02'] }
    expect(slots(parameters, '2026-05-31T00:00Z', '2026-06-03T00:00Z')).toEqual([
      '2026-05-31T16:00',
      '2026-06-02T16:00',
    ])
  })
})

describe('beginning and end', () => {
  test('dates count in the zone, and the last one whole', () => {
    const parameters = {
      expression: '0 */8 * * *',
      timeZone: 'America/New_York',
      startAt: '2026-07-01',
      endAt: '2026-07-01',
    }
    expect(slots(parameters, '2026-01-01T00:00Z', '2026-12-31T00:00Z')).toEqual([
      ...['2026-07-01T04:00', '2026-07-01T12:00', '2026-07-01T20:00'],
    ])
  })

  test('times and instants count to the second, both included', () => {
    const zone = { expression: '0 * * * *', timeZone: 'Europe/Berlin' }
    const inZone = { ...zone, startAt: '2026-07-01T12:00', endAt: '2026-07-01T13:00' }
    expect(slots(inZone, '2026-01-01T00:00Z', '2026-12-31T00:00Z')).toEqual([
      '2026-07-01T10:00',
      '2026-07-01T11:00',
    ])
    const instants = { ...zone, startAt: '2026-07-01T12:00Z', endAt: '2026-07-01T15:00+02:00' }
    expect(slots(instants, '2026-01-01T00:00Z', '2026-12-31T00:00Z')).toEqual([
      '2026-07-01T12:00',
      '2026-07-01T13:00',
    ])
  })

  test('a start after the end leaves nothing; what is no date is refused', () => {
    const parameters = { expression: '0 * * * *', startAt: '2026-07-02', endAt: '2026-07-01' }
    expect(createCronCalculator(parameters).next(0)).toBe(null)
    const make = (more: Partial<CronParameters>): unknown =>
      createCronCalculator({ expression: '0 * * * *', ...more })
    expect(() => make({ startAt: '2026-02-30' })).toThrow('“2026-02-30” is no date and no time.')
    expect(() => make({ except: ['someday'] })).toThrow('“someday” is no day that can be left out.')
    expect(() => make({ timeZone: 'Europe/Atlantis' })).toThrow('There is no time zone “Europe/Atlantis”.')
  })
})

describe('spread', () => {
  const parameters = { expression: '*/10 * * * *', jitterMs: hour, key: 'reports/nightly' }

  test('every machine spreads a slot alike, never into the next slot', () => {
    const [one, other] = [createCronCalculator(parameters), createCronCalculator(parameters)]
    const found = one.between(at('2026-01-01T00:00Z'), at('2026-01-08T00:00Z'), 2_000)
    for (const slot of found) {
      const late = one.fireAt(slot) - slot
      expect(late).toBe(other.fireAt(slot) - slot)
      expect(late).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThan(10 * minute)
    }
  })

  test('slots and schedules are spread evenly and apart from each other', () => {
    const { fireAt, between } = createCronCalculator(parameters)
    const other = createCronCalculator({ ...parameters, key: 'reports/weekly' })
    const found = between(at('2026-01-01T00:00Z'), at('2026-03-01T00:00Z'), 5_000)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const slot of found) tenths[Math.floor((fireAt(slot) - slot) / minute)]! += 1
    for (const count of tenths) expect(count / found.length).toBeGreaterThan(0.08)
    expect(found.filter((slot) => fireAt(slot) === other.fireAt(slot)).length).toBeLessThan(3)
  })

  test('without a spread a slot fires when it is due', () => {
    const { fireAt } = createCronCalculator({ expression: '0 0 * * *' })
    expect(fireAt(5 * day)).toBe(5 * day)
  })
})
