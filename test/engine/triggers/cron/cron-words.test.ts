/** Schedules in words: readable for the usual ones, right for all. */

import { describe, expect, test } from 'vitest'
import { createCronCalculator } from '../../../../src-engine/triggers/cron/cron-calculator.ts'
import { readCronFields } from '../../../../src-engine/triggers/cron/cron-fields.ts'
import { describeCron } from '../../../../src-engine/triggers/cron/cron-words.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { randomCase } from '../../../triggers/oracle-cases.ts'

const examples: readonly (readonly [string, string])[] = [
  ['* * * * *', 'every minute'],
  ['*/5 * * * *', 'every 5 minutes'],
  ['0,15,30,45 * * * *', 'every 15 minutes'],
  ['*/7 * * * *', 'every hour at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56'],
  ['* * * * * *', 'every second'],
  ['*/10 * * * * *', 'every 10 seconds'],
  ['30 * * * * *', 'at second 30 of every minute'],
  ['30 */5 * * * *', 'at second 30 of every 5th minute'],
  ['30 15 9 * * *', 'every day at 09:15:30'],
  ['0 * * * *', 'every hour'],
  ['30 * * * *', 'every hour at minute 30'],
  ['0 */2 * * *', 'every 2 hours'],
  ['15 */6 * * *', 'every 6 hours at minute 15'],
  ['*/5 */2 * * *', 'every 5 minutes of every 2nd hour'],
  ['0 9 * * *', 'every day at 09:00'],
  ['0 9,17 * * *', 'every day at 09:00 and 17:00'],
  ['0,30 8,12,16 * * *', 'every 30 minutes in the hours 08, 12 and 16'],
  ['0,20 8,12 * * *', 'every day at 08:00, 08:20, 12:00 and 12:20'],
  ['0 9-17 * * *', 'every hour from 09:00 to 17:00'],
  ['30 9-17 * * MON-FRI', 'every weekday, every hour from 09:30 to 17:30'],
  ['*/15 9-17 * * MON-FRI', 'every weekday, every 15 minutes from 09:00 to 17:59'],
  ['* 2 * * *', 'every minute from 02:00 to 02:59'],
  ['0 9 * * MON-FRI', 'every weekday at 09:00'],
  ['0 9 * * SAT,SUN', 'every Sunday and Saturday at 09:00'],
  ['0 9 * * 6-7', 'every Sunday and Saturday at 09:00'],
  ['0 9 * * MON-THU', 'every day from Monday to Thursday at 09:00'],
  ['0 9 * * MON#1', 'on the first Monday of the month at 09:00'],
  ['0 9 * * FRIL', 'on the last Friday of the month at 09:00'],
  ['0 9 * * 1,5L', 'every Monday and on the last Friday of the month at 09:00'],
  ['0 9 1 * *', 'on the 1st of the month at 09:00'],
  ['0 9 1,15 * *', 'on the 1st and the 15th of the month at 09:00'],
  ['0 9 L * *', 'on the last day of the month at 09:00'],
  ['0 9 15,L 1,7 *', 'on the 15th and the last day of January and July at 09:00'],
  ['0 9 1-7 3-5 *', 'on the 1st to the 7th of March to May at 09:00'],
  ['0 9 * 12 *', 'every day in December at 09:00'],
  ['*/5 * * 12 *', 'every day in December, every 5 minutes'],
  ['0 9 13 * FRI', 'on the 13th of the month and every Friday at 09:00'],
  ['0 9 30 2 *', 'on the 30th of February at 09:00'],
  ['@daily', 'every day at 00:00'],
  ['@weekdays', 'every weekday at 00:00'],
]

describe('schedules in words', () => {
  test.for(examples)('%s: %s', ([expression, words]) => {
    expect(describeCron(readCronFields(expression), 'UTC')).toBe(`${words} in UTC`)
  })

  test('a zone is named by its place', () => {
    const fields = readCronFields('0 9 * * MON-FRI')
    expect(describeCron(fields, 'Europe/Lisbon')).toBe('every weekday at 09:00 in Lisbon')
    expect(describeCron(fields, 'America/Argentina/Buenos_Aires')).toBe(
      'every weekday at 09:00 in Buenos Aires',
    )
    expect(describeCron(fields, 'Etc/GMT+5')).toBe('every weekday at 09:00 in Etc/GMT+5')
  })

  test('schedules with the same words have the same times, over 4,000 random ones', () => {
    const expressionByWords = new Map<string, string>()
    const [from, to] = [Date.parse('2027-12-20'), Date.parse('2029-04-02')]
    const slotsOf = (expression: string): string => {
      const { between } = createCronCalculator({ expression })
      return JSON.stringify([between(from, to, 300), between(Date.parse('2028-02-28'), to, 300)])
    }
    let repeated = 0
    for (let seed = 0; seed < 4_000; seed += 1) {
      const { expression } = randomCase(createRandomSource(`words ${seed}`))
      const words = describeCron(readCronFields(expression), 'UTC')
      const other = expressionByWords.get(words) ?? expression
      expressionByWords.set(words, other)
      // Times are reckoned of those only that have the words of another one.
      if (other === expression) continue
      repeated += 1
      const isSame = slotsOf(other) === slotsOf(expression)
      expect([words, other, expression, isSame]).toEqual([words, other, expression, true])
    }
    expect(repeated).toBeGreaterThan(50)
  })
})
