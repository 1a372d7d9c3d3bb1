/** Which cron expressions are taken, and where the others go wrong. */

import { describe, expect, test } from 'vitest'
import { isCronFault, readCronText } from '../../../src-engine/model/cron-text.ts'

const taken = [
  '* * * * *',
  '  5   9 * * *  ',
  '30 5 9 * * *',
  '? ? ? ? ?',
  '*/5 * * * *',
  '5/15 * * * *',
  '0-30/10,45 * * * *',
  '0 9-17 * * MON-FRI',
  '0 0 * jan,Feb,DEC *',
  '0 0 L,15 * *',
  '0 0 * * 5L',
  '0 0 * * friL,MONL',
  '0 0 * * FRI#2',
  '0 0 * * 7',
  '0 0 * * 6-7',
  '0 0 30 2 *',
  '@daily',
  '@weekdays',
]

const refused: readonly (readonly [string, string | null, number, string])[] = [
  ['', null, 0, 'it has no fields'],
  ['* * * *', null, 0, 'it has 4 fields'],
  ['* * * * * * *', null, 0, 'it has 7 fields'],
  ['@midnight', null, 0, '“@midnight” is not among'],
  ['60 * * * *', 'minute', 0, '“60” is not among 0 to 59'],
  ['0 24 * * *', 'hour', 2, '“24” is not among 0 to 23'],
  ['0 0 0 * *', 'day', 4, '“0” is not among 1 to 31'],
  ['0 0 * 13 *', 'month', 6, '“13” is not among 1 to 12 or JAN to DEC'],
  ['0 0 * * 8', 'weekday', 8, '“8” is not among 0 to 7 or SUN to SAT'],
  ['0 0 * * MOND', 'weekday', 8, '“MOND” is not among'],
  ['0 5,,6 * * *', 'hour', 4, 'an entry missing beside a comma'],
  ['0 5,7-6 * * *', 'hour', 4, '“7-6” ends before it begins'],
  ['0 0 * * FRI-SUN', 'weekday', 8, 'Sunday at the end of a range is 7'],
  ['*/0 * * * *', 'minute', 0, 'no number from 1 up'],
  ['*/x * * * *', 'minute', 0, 'no number from 1 up'],
  ['1/2/3 * * * *', 'minute', 0, 'more than one step'],
  ['1-2-3 * * * *', 'minute', 0, 'more than one range'],
  ['1,2,1 * * * *', 'minute', 4, '“1” names 1, which is named before'],
  ['1-5,3 * * * *', 'minute', 4, '“3” names 3, which is named before'],
  ['0 0 * * 0,7', 'weekday', 10, 'names 0, which is named before'],
  ['0 0 * * 1#2,3', 'weekday', 8, 'stands alone'],
  ['0 0 * * 5#6', 'weekday', 8, 'a number from 1 to 5'],
  ['0 0 * * 5#1.5', 'weekday', 8, 'a number from 1 to 5'],
  ['0 0 * * *#2', 'weekday', 8, '“*” is not among'],
  ['0 0 * * L', 'weekday', 8, 'doesn’t say which weekday'],
  ['0 0 L-3 * *', 'day', 4, '“L” is not among'],
  ['0 0 15W * *', 'day', 4, 'W, the nearest weekday, is not supported'],
  ['H * * * *', 'minute', 0, 'H is not supported'],
  ['H(0-10) * * * *', 'minute', 0, 'not supported'],
  ['** * * * *', 'minute', 0, '“**” is not among'],
  [`${'1,'.repeat(300)}2 * * * *`, null, 0, 'more than 512 characters'],
]

describe('cron expressions', () => {
  test.for(taken)('%s is taken', (expression) => {
    expect(isCronFault(readCronText(expression))).toBe(false)
  })

  test.for(refused)('%s is refused, with its field and its place', ([expression, field, position, words]) => {
    const read = readCronText(expression)
    expect(read).toMatchObject({ field, position })
    expect(isCronFault(read) ? read.message : '').toContain(words)
  })
})
