/** Schedules that count time that passes: `@every 90m`, from an anchor, whatever clocks do. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intervalWords, readIntervalText } from '../../../../src-engine/model/interval-text.ts'
import { day, hour, minute, second } from '../../../../src-engine/model/time.ts'
import type { CronParameters } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import { previewSchedule } from '../../../../src-engine/triggers/cron/cron-preview.ts'
import { monthOf } from '../../../../src-engine/triggers/cron/month-view.ts'
import { cronSpec } from '../../../../src-engine/triggers/cron/spec.ts'

const at = (text: string): number => Date.parse(text)

function slots(parameters: CronParameters, after: string, upTo: string): readonly string[] {
  return createCronCalculator(parameters)
    .between(at(after), at(upTo), 100)
    .map((slot) => new Date(slot).toISOString().slice(0, 16))
}

describe('the text of an interval', () => {
  test.each([
    ['@every 90m', 90 * minute, '90 minutes'],
    ['@every 36h', 36 * hour, '36 hours'],
    [' @every 1d12h ', 36 * hour, '36 hours'],
    ['@every 45s', 45 * second, '45 seconds'],
    ['@every 7d', 7 * day, '7 days'],
    ['@every 1h', hour, '1 hour'],
    ['@every 100m', 100 * minute, '1 hour and 40 minutes'],
    ['@every 1d 1h 1m 1s', day + hour + minute + second, '1 day, 1 hour, 1 minute and 1 second'],
  ])('%s', (text, everyMs, words) => {
    expect(readIntervalText(text)).toEqual({ everyMs })
    expect(intervalWords(everyMs)).toBe(words)
  })

  test.each([
    '@every',
    '@every ',
    '@every 0s',
    '@every 90',
    '@every 1m1h',
    '@every 1h1h',
    '@every -1h',
    '@every 367d',
  ])('“%s” is none, and says why', (text) => {
    expect(readIntervalText(text)).toHaveProperty('message')
    expect(cronSpec.parameters.safeParse({ expression: text }).success).toBe(false)
    expect(() => createCronCalculator({ expression: text })).toThrow(/is no interval/)
  })

  test.each(['0 9 * * *', '@daily', 'every 5m', ''])('“%s” is meant otherwise', (text) => {
    expect(readIntervalText(text)).toBeNull()
  })
})

describe('slots of an interval', () => {
  test('are counted from where the schedule begins', () => {
    const parameters = { expression: '@every 36h', timeZone: 'Europe/Berlin', startAt: '2026-03-01T06:00' }
    expect(slots(parameters, '2026-02-01T00:00Z', '2026-03-06T00:00Z')).toEqual([
      '2026-03-01T05:00',
      '2026-03-02T17:00',
      '2026-03-04T05:00',
      '2026-03-05T17:00',
    ])
  })

  test('stay as far apart where clocks change', () => {
    const parameters = { expression: '@every 90m', timeZone: 'Europe/Berlin', startAt: '2026-03-29T00:00' }
    const found = slots(parameters, '2026-03-28T22:00Z', '2026-03-29T04:00Z')
    expect(found).toEqual(['2026-03-28T23:00', '2026-03-29T00:30', '2026-03-29T02:00', '2026-03-29T03:30'])
    const { changeAt } = createCronCalculator(parameters)
    expect(found.map((slot) => changeAt(at(`${slot}Z`)))).toEqual([null, null, null, null])
  })

  test('end with the schedule, and leave out the days that it leaves out', () => {
    const parameters = {
      expression: '@every 10h',
      endAt: '2026-03-09',
      startAt: '2026-03-05',
      except: ['SAT', 'SUN'],
    }
    expect(slots(parameters, '2026-03-01T00:00Z', '2026-04-01T00:00Z')).toEqual([
      ...['2026-03-05T00:00', '2026-03-05T10:00', '2026-03-05T20:00', '2026-03-06T06:00', '2026-03-06T16:00'],
      ...['2026-03-09T04:00', '2026-03-09T14:00'],
    ])
    const never = { expression: '@every 1s', except: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] }
    expect(createCronCalculator(never).next(at('2199-12-01T00:00Z'))).toBeNull()
  })

  test('follow each other exactly, from wherever one looks, forwards and backwards', () => {
    const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 * 86_400 }),
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 100 * 365 * day }),
        (every, timeZone, now) => {
          const calculator = createCronCalculator({ expression: `@every ${every}s`, timeZone })
          const step = every * second
          const expected = (Math.floor(now / step) + 1) * step
          expect(calculator.next(now)).toBe(expected)
          expect(calculator.next(expected)).toBe(expected + step)
          expect(calculator.previous(expected + 1)).toBe(expected)
          expect(calculator.previous(expected)).toBe(expected - step)
        },
      ),
    )
  })

  test('are spread before the next one', () => {
    const { fireAt } = createCronCalculator({ expression: '@every 10s', jitterMs: hour, key: 'w/t' })
    const slot = at('2026-03-01T00:00Z')
    expect(fireAt(slot)).toBeGreaterThanOrEqual(slot)
    expect(fireAt(slot)).toBeLessThan(slot + 10 * second)
  })
})

describe('what is shown of an interval', () => {
  const parameters = {
    ...{ expression: '@every 36h', timeZone: 'Europe/Berlin', startAt: '2026-03-28T06:00' },
    except: ['12-25'],
  }

  test('its words, its slots by the clocks of its zone, and what clocks have to do with it', () => {
    const preview = previewSchedule(parameters, { after: at('2026-03-28T00:00Z'), count: 3 })
    expect(preview.words).toBe('every 36 hours, from 2026-03-28T06:00 in Berlin, but not on 12-25')
    expect(preview.rule).toContain('It counts time that passes')
    expect(preview.slots.map(({ local, change }) => [local, change])).toEqual([
      ['2026-03-28T06:00:00+01:00', null],
      ['2026-03-29T19:00:00+02:00', null],
      ['2026-03-31T07:00:00+02:00', null],
    ])
    expect(previewSchedule({ expression: '@every 90m' }, { after: 0, count: 1 })).toMatchObject({
      words: 'every 90 minutes',
      rule: null,
    })
  })

  test('a month counts its slots, also where they are too many to be looked at', () => {
    const month = monthOf(
      [
        { id: 'a', parameters, durationMs: null },
        { id: 'b', parameters: { expression: '@every 1s' }, durationMs: null },
        { id: 'c', parameters: { expression: '@every 5s' }, durationMs: null },
      ],
      { year: 2026, month: 3, timeZone: 'UTC', workers: 4 },
    )
    expect(month.unreadable).toEqual([])
    expect(month.schedules.map(({ id, firesCount }) => [id, firesCount])).toEqual([
      ['a', 3],
      ['b', 31 * 86_400],
      ['c', (31 * 86_400) / 5],
    ])
    expect(month.days.at(-1)?.missing).toEqual([])
  })
})
