/** Slots of cron expressions, in UTC. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, minute } from '../../../src-engine/model/time.ts'
import { readCron } from '../../../src-engine/triggers/cron/cron-slots.ts'

const at = (text: string): number => Date.parse(text)

describe('cron slots', () => {
  test('the next slot is after the instant, never the instant itself', () => {
    const { next } = readCron('*/5 * * * *')
    expect(next(at('2026-03-01T12:00:00Z'))).toBe(at('2026-03-01T12:05:00Z'))
    expect(next(at('2026-03-01T12:04:59.999Z'))).toBe(at('2026-03-01T12:05:00Z'))
  })

  test('a rare slot is found years ahead', () => {
    expect(readCron('0 0 29 2 *').next(at('2026-03-01T00:00:00Z'))).toBe(at('2028-02-29T00:00:00Z'))
  })

  test('six fields begin with seconds', () => {
    expect(readCron('30 * * * * *').next(at('2026-03-01T12:00:00Z'))).toBe(at('2026-03-01T12:00:30Z'))
  })

  test('what was missed is listed oldest first, up to a limit', () => {
    const { between } = readCron('0 * * * *')
    const [from, to] = [at('2026-03-01T09:00:00Z'), at('2026-03-01T12:02:00Z')]
    expect(between(from, to, 10)).toEqual([10, 11, 12].map((hour) => at(`2026-03-01T${hour}:00:00Z`)))
    expect(between(from, to, 2)).toHaveLength(2)
    expect(between(to, to, 10)).toEqual([])
  })

  test.for(['', '* * * *', '* * * * * * *', '61 * * * *', 'every day'])(
    '“%s” is refused, and says why',
    (expression) => {
      expect(() => readCron(expression)).toThrow(/is no cron expression/)
    },
  )

  test('slots follow each other without gap or repeat, wherever one begins to look', () => {
    const { next, between } = readCron('*/15 * * * *')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 * 365 * day }), (now) => {
        const expected = (Math.floor(now / (15 * minute)) + 1) * 15 * minute
        expect(next(now)).toBe(expected)
        expect(between(now, expected, 5)).toEqual([expected])
      }),
    )
  })
})
