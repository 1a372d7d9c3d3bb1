/** Brute force: looks at every minute of a stretch of time and asks of each whether the expression means it. */

import type { ZoneYear } from './oracle-zone.ts'
import { zoneYear } from './oracle-zone.ts'

export interface OracleCase {
  readonly expression: string
  readonly zone: string
  readonly year: number
  /** Dates and weekdays that don't count. */
  readonly except: readonly string[]
}

const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

interface Meaning {
  readonly seconds: readonly number[]
  /** Per minute of a day. */
  readonly times: Uint8Array
  readonly isDay: (day: number) => boolean
  readonly isOpen: boolean
}

export interface Range {
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** Scans of one case: the slots from a minute up to (without) another, in seconds since 1970. */
export function scannerOf(one: OracleCase): (range: Range) => readonly number[] {
  const meaning = meaningOf(one)
  const zone = zoneYear(one.zone, one.year)
  return (range) => scan(meaning, zone, range)
}

function scan({ seconds, times, isDay, isOpen }: Meaning, { begins, offsets }: ZoneYear, range: Range) {
  const slots: number[] = []
  // Two days early, to know what clocks have shown before.
  const start = Math.max(begins[0] ?? 0, range.from - 2 * 1440)
  let stretch = begins.findLastIndex((begin) => begin <= start)
  let shown = start + (offsets[stretch] ?? 0)
  let shownMax = shown - 1
  let time = timeOfDay(shown)
  let change = begins[stretch + 1] ?? Number.POSITIVE_INFINITY
  const isNamed = (at: number, ofDay: number): boolean => times[ofDay] !== 0 && isDay(Math.floor(at / 1440))
  const push = (minute: number, second: number): void => {
    if (minute >= range.from) slots.push(minute * 60 + second)
  }
  for (let minute = start; minute < range.to && slots.length < range.limit; minute += 1) {
    if (minute === change) {
      let isLate = false
      stretch += 1
      change = begins[stretch + 1] ?? Number.POSITIVE_INFINITY
      shown = minute + (offsets[stretch] ?? 0)
      time = timeOfDay(shown)
      if (!isOpen)
        for (let jumped = shownMax + 1; jumped < shown; jumped += 1)
          isLate ||= isNamed(jumped, timeOfDay(jumped))
      if (isLate) push(minute, 0)
    }
    // A whole day that doesn't count, without a change of the clocks, is passed at once.
    if (time === 0 && shown > shownMax && minute + 1440 < change && !isDay(Math.floor(shown / 1440))) {
      minute += 1439
      shown += 1440
      shownMax = shown - 1
      continue
    }
    if (times[time] !== 0 && (isOpen || shown > shownMax) && isDay(Math.floor(shown / 1440)))
      for (const second of seconds) if (slots.at(-1) !== minute * 60 + second) push(minute, second)
    if (shown > shownMax) shownMax = shown
    shown += 1
    time = time === 1439 ? 0 : time + 1
  }
  return slots.slice(0, range.limit)
}

const timeOfDay = (shown: number): number => ((shown % 1440) + 1440) % 1440

function meaningOf({ expression, except }: OracleCase): Meaning {
  const parts = expression.split(' ')
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] =
    parts.length === 6 ? parts : ['0', ...parts]
  const times = new Uint8Array(1440)
  for (let time = 0; time < 1440; time += 1)
    if (names(hour, Math.floor(time / 60), { max: 23 }) && names(minute, time % 60, { max: 59 }))
      times[time] = 1
  const isNamedDay = (number: number): boolean => {
    const date = new Date(number * 86_400_000)
    if (except.includes(date.toISOString().slice(0, 10))) return false
    if (except.includes(weekdayNames[date.getUTCDay()] ?? '')) return false
    if (!names(month, date.getUTCMonth() + 1, { max: 12, words: monthNames })) return false
    const isOfMonth = day
      .split(',')
      .some((entry) => (entry === 'L' ? isLast(date) : names(entry, date.getUTCDate(), { max: 31 })))
    const isOfWeek = weekday.split(',').some((entry) => namesWeekday(entry, date))
    const [anyDay, anyWeekday] = [/^[*?]$/.test(day), /^[*?]$/.test(weekday)]
    if (anyDay && anyWeekday) return true
    if (anyDay) return isOfWeek
    if (anyWeekday) return isOfMonth
    return isOfMonth || isOfWeek
  }
  const days = new Map<number, boolean>()
  const isDay = (number: number): boolean => {
    const known = days.get(number)
    if (known !== undefined) return known
    const isNamed = isNamedDay(number)
    days.set(number, isNamed)
    return isNamed
  }
  const seconds = Array.from({ length: 60 }, (_, index) => index).filter((at) =>
    names(second, at, { max: 59 }),
  )
  return { seconds, times, isDay, isOpen: /[*?/]/.test(hour) }
}

interface Bound {
  readonly max: number
  readonly words?: readonly string[]
}

/** Whether a field names a value: each entry is tried alone. */
function names(field: string, value: number, { max, words = [] }: Bound): boolean {
  return field.split(',').some((entry) => {
    const [range = '', step = '1'] = entry.split('/')
    if (range === '*' || range === '?')
      return (value - (max === 31 || max === 12 ? 1 : 0)) % Number(step) === 0
    const [from = 0, to = entry.includes('/') ? max : from] = range
      .split('-')
      .map((text) => number(text, words))
    return value >= from && value <= to && (value - from) % Number(step) === 0
  })
}

function number(text: string, words: readonly string[]): number {
  const word = words.indexOf(text.toUpperCase())
  if (word === -1) return Number(text)
  return words.length === 12 ? word + 1 : word
}

function namesWeekday(entry: string, date: Date): boolean {
  const weekday = date.getUTCDay()
  const [word = '', nth] = entry.split('#')
  if (nth !== undefined) {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)).getUTCDay()
    const wanted = number(word, weekdayNames) % 7
    return date.getUTCDate() === 1 + ((wanted - first + 7) % 7) + 7 * (Number(nth) - 1)
  }
  if (entry.endsWith('L')) {
    const inAWeek = new Date(date.getTime() + 7 * 86_400_000)
    return (
      number(entry.slice(0, -1), weekdayNames) % 7 === weekday && inAWeek.getUTCMonth() !== date.getUTCMonth()
    )
  }
  // Sunday is 0 and 7.
  return (
    names(entry, weekday, { max: 7, words: weekdayNames }) ||
    (weekday === 0 && names(entry, 7, { max: 7, words: weekdayNames }))
  )
}

const isLast = (date: Date): boolean => new Date(date.getTime() + 86_400_000).getUTCDate() === 1
