/** Random schedules for the oracle: all the dialect has, and more often than by chance hours at which clocks change. */

import type { RandomSource } from '../support/random-source.ts'
import type { OracleCase } from './oracle-scan.ts'

/** Zones whose clocks do something odd: half hours, skipped days, midnight changes, four offsets a year. */
export const oracleZones = [
  'UTC',
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Caracas',
  'America/Havana',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Amman',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Europe/Lisbon',
  'Europe/Volgograd',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
] as const

/** From before Kiritimati skipped a day to after the last year that zone files spell out. */
const oracleYears = { first: 1994, last: 2040 } as const

const months = ['JAN', 'FEB', 'mar', 'APR', 'May', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'tue', 'WED', 'THU', 'Fri', 'SAT']

/** The case of a seed. */
export function randomCase(random: RandomSource): OracleCase {
  const fields = [minuteOf(random), hourOf(random), dayOf(random), monthOf(random), weekdayOf(random)]
  if (random.chance(0.15)) fields.unshift(random.chance(0.1) ? '*' : numbers(random, 0, 59))
  const year = oracleYears.first + random.below(oracleYears.last - oracleYears.first + 1)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const date = (): string => `${year}-${pad(1 + random.below(12))}-${pad(1 + random.below(28))}`
  const except = random.chance(0.1) ? [date(), date(), random.pick(['SAT', 'SUN', 'WED'])] : []
  return { expression: fields.join(' '), zone: random.pick(oracleZones), year, except }
}

/** One to three entries without a value that is named twice: cron-parser refuses these. */
function numbers(random: RandomSource, min: number, max: number): string {
  const choice = random.next()
  const span = max - min + 1
  if (choice < 0.45) return String(min + random.below(span))
  const from = min + random.below(span)
  const to = from + random.below(max - from + 1)
  if (choice < 0.55) return `${from}-${to}`
  if (choice < 0.65) return `*/${1 + random.below(span)}`
  if (choice < 0.72) return `${from}-${to}/${1 + random.below(8)}`
  if (choice < 0.77) return `${from}/${1 + random.below(span)}`
  const values = new Set([from, min + random.below(span), min + random.below(span)])
  return [...values].join(',')
}

const minuteOf = (random: RandomSource): string =>
  random.chance(0.35)
    ? random.pick(['0', '30', '15,45', '0,30', '5', '59', '*/15'])
    : random.chance(0.1)
      ? '*'
      : numbers(random, 0, 59)

const hourOf = (random: RandomSource): string =>
  random.chance(0.2)
    ? '*'
    : random.chance(0.5)
      ? random.pick([
          '0',
          '1',
          '2',
          '3',
          '23',
          '22-23',
          '0-4',
          '1,2',
          '*/2',
          '0/3',
          '1-3/1',
          '2,3',
          '?',
          '23,0',
        ])
      : numbers(random, 0, 23)

const dayOf = (random: RandomSource): string =>
  random.chance(0.6)
    ? random.pick(['*', '*', '*', '?'])
    : random.pick(['L', 'L,15', '29', '30', '31', '1', '1,L', '*/1', numbers(random, 1, 31)])

function monthOf(random: RandomSource): string {
  if (random.chance(0.6)) return '*'
  const from = random.below(12)
  const to = from + random.below(12 - from)
  return random.pick([
    numbers(random, 1, 12),
    months[from] ?? '',
    `${months[from]}-${months[to]}`,
    'MAR,OCT',
    '3,4,9-11',
    'FEB',
  ])
}

function weekdayOf(random: RandomSource): string {
  if (random.chance(0.55)) return random.pick(['*', '*', '?'])
  const from = random.below(7)
  const to = from + random.below(7 - from)
  const nth = 1 + random.below(5)
  return random.pick([
    'MON-FRI',
    'SUN',
    '7',
    '6-7',
    '5-7/2',
    '*/2',
    '1/2',
    `${weekdays[from]}-${weekdays[to]}`,
    `${weekdays[from]}L`,
    `${from}L`,
    '1,3L',
    '7L',
    `${weekdays[from]}#${nth}`,
    `${from}#${nth}`,
    'SAT,SUN',
    `${random.below(8)}`,
  ])
}
