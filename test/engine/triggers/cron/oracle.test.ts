/** The calculator against brute force, and planted bugs that brute force has to find. */

import { describe, expect, test } from 'vitest'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import type { MakeCalculator } from '../../../triggers/oracle-compare.ts'
import { compareCases } from '../../../triggers/oracle-compare.ts'

const planted: readonly (readonly [string, MakeCalculator])[] = [
  [
    'a fixed hour fires again when clocks go back, and not at all in a gap',
    (parameters) =>
      createCronCalculator({ ...parameters, expression: withHour(parameters.expression, '/1') }),
  ],
  [
    'the last day of a month is the 31st',
    (parameters) =>
      createCronCalculator({ ...parameters, expression: parameters.expression.replace(/\bL\b/, '31') }),
  ],
  [
    'the zone is read as it is in winter',
    (parameters) => {
      const right = createCronCalculator(parameters)
      const between = createCronCalculator({ ...parameters, timeZone: 'UTC' }).between
      const off = right.offsetAt(Date.UTC(2020, 0))
      return {
        ...right,
        between: (after, upTo, limit) => between(after + off, upTo + off, limit).map((slot) => slot - off),
      }
    },
  ],
  [
    'the slot at the very end is left out',
    (parameters) => {
      const right = createCronCalculator(parameters)
      return { ...right, previous: (before) => right.previous(before - 1000) }
    },
  ],
]

/** The hour with a step where it is one number, so that it counts as open. */
function withHour(expression: string, step: string): string {
  const fields = expression.split(' ')
  const hour = fields.length - 4
  const text = fields[hour] ?? ''
  if (/^\d+$/.test(text)) fields[hour] = `${text}-${text}${step}`
  return fields.join(' ')
}

describe('slots against brute force', () => {
  test('300 random schedules have the slots that looking at every minute finds', () => {
    const { differences, cases, slots } = compareCases({ from: 1, cases: 300 })
    expect(differences).toEqual([])
    expect(cases).toBe(300)
    expect(slots).toBeGreaterThan(150_000)
  })

  test.for(planted)('a planted bug is found: %s', ([, make]) => {
    const { differences } = compareCases({ from: 1, cases: 2_000, until: 1 }, make)
    expect(differences).toHaveLength(1)
  })
})
