/** What cron-parser reads out of an expression is what its text says. */

import { describe, expect, test } from 'vitest'
import type { CronFieldName } from '../../../../src-engine/model/cron-text.ts'
import { cronItemValues } from '../../../../src-engine/model/cron-text.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { readCronFields } from '../../../../src-engine/triggers/cron/cron-fields.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { randomCase } from '../../../triggers/oracle-cases.ts'

describe('fields of a cron expression', () => {
  test('cron-parser and the text agree about every value of 1,000 expressions', () => {
    for (let seed = 0; seed < 1_000; seed += 1) {
      const { expression } = randomCase(createRandomSource(`fields ${seed}`))
      const fields = readCronFields(expression)
      const said = (name: CronFieldName): readonly number[] =>
        [...new Set(fields.text.fields[name].items.flatMap((item) => cronItemValues(name, item)))].sort(
          (a, b) => a - b,
        )
      const nth = fields.text.fields.weekday.items.flatMap((item) =>
        item.kind === 'nth-weekday' ? [item] : [],
      )
      expect([expression, fields.seconds, fields.minutes, fields.hours, fields.days, fields.months]).toEqual([
        ...[expression, said('second'), said('minute'), said('hour'), said('day'), said('month')],
      ])
      expect(fields.weekdays).toEqual(nth.length > 0 ? nth.map(({ weekday }) => weekday) : said('weekday'))
      expect(fields.nth).toBe(nth[0]?.nth ?? null)
    }
  })

  test('an expression that was read isn’t read again, and of many only the last ones are kept', () => {
    const first = readCronFields('1 2 3 4 *')
    expect(readCronFields('1 2 3 4 *')).toBe(first)
    for (let minute = 0; minute < 60; minute += 1) {
      for (let hour = 0; hour < 10; hour += 1) readCronFields(`${minute} ${hour} * * *`)
    }
    expect(readCronFields('1 2 3 4 *')).not.toBe(first)
    expect(readCronFields('1 2 3 4 *')).toEqual(first)
  })

  test('a refusal names the expression, the field and the place', () => {
    const read = (): unknown => readCronFields('0 25 * * *')
    expect(read).toThrow(SagasmithError)
    expect(read).toThrow(
      '“0 25 * * *” is no cron expression: in the field of the hour, “25” is not among 0 to 23.',
    )
    try {
      read()
    } catch (thrown) {
      expect((thrown as SagasmithError).details).toEqual({
        expression: '0 25 * * *',
        position: 2,
        field: 'hour',
      })
    }
  })

  test.for([
    ['0 * * * *', true],
    ['0 */2 * * *', true],
    ['0 2-4/1 * * *', true],
    ['0 1,5/6 * * *', true],
    ['0 ? * * *', true],
    ['0 2 * * *', false],
    ['*/5 2-4 * * *', false],
    ['0 0-23 * * *', false],
  ] as const)('the hour of %s is open: %s', ([expression, isOpen]) => {
    expect(readCronFields(expression).isHourOpen).toBe(isOpen)
  })
})
