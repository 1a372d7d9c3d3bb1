/** The days of a schedule in words: “every weekday”, “on the last Friday of March”. */

import type { CronFields } from './cron-fields.ts'

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const nthNames = ['first', 'second', 'third', 'fourth', 'fifth']

/** “a”, “a and b”, “a, b and c”. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** 1st, 2nd, 23rd, 11th. */
export function ordinal(value: number): string {
  const teens = value % 100 > 10 && value % 100 < 14
  return `${value}${(teens ? undefined : ['th', 'st', 'nd', 'rd'][value % 10]) ?? 'th'}`
}

/** Whether ascending values follow each other without a hole, three of them at least. */
export function isRange(values: readonly number[]): boolean {
  return values.length > 2 && (values.at(-1) ?? 0) - (values[0] ?? 0) === values.length - 1
}

/** The days; null when every day of the year counts. */
export function dayWords(fields: CronFields): string | null {
  const { months, isEveryDay, isEveryWeekday } = fields
  const inMonths = months.length === 12 ? '' : ` in ${monthWords(months)}`
  const ofMonths = months.length === 12 ? ' of the month' : ` of ${monthWords(months)}`
  const isEach =
    (isEveryDay && isEveryWeekday) ||
    (!isEveryDay && fields.days.length === 31) ||
    (!isEveryWeekday && fields.nth === null && fields.weekdays.length === 7)
  if (isEach) return inMonths === '' ? null : `every day${inMonths}`
  const parts = [
    ...(isEveryDay ? [] : monthDayWords(fields, ofMonths)),
    ...(isEveryWeekday ? [] : weekdayWords(fields, { inMonths, ofMonths })),
  ]
  return parts.length === 0 ? null : listed(parts)
}

function monthWords(months: readonly number[]): string {
  const names = months.map((month) => monthNames[month - 1] ?? '')
  return isRange(months) ? `${names[0]} to ${names.at(-1)}` : listed(names)
}

function monthDayWords({ days, isLastDay }: CronFields, ofMonths: string): readonly string[] {
  const names = days.map((day) => `the ${ordinal(day)}`)
  const numbered = isRange(days) ? [`${names[0]} to ${names.at(-1)}`] : names
  const all = isLastDay ? [...numbered, 'the last day'] : numbered
  return [`on ${listed(all)}${ofMonths}`]
}

function weekdayWords(
  { weekdays, lastWeekdays, nth }: CronFields,
  { inMonths, ofMonths }: { readonly inMonths: string; readonly ofMonths: string },
): readonly string[] {
  const names = weekdays.map((weekday) => weekdayNames[weekday] ?? '')
  const last = lastWeekdays.map((weekday) => `the last ${weekdayNames[weekday]}`)
  const lastPart = last.length === 0 ? [] : [`on ${listed(last)}${ofMonths}`]
  if (nth !== null) return [`on the ${nthNames[nth - 1]} ${listed(names)}${ofMonths}`]
  if (names.length === 0) return lastPart
  const each = weekdays.join('') === '12345' ? 'weekday' : isRange(weekdays) ? rangeOf(names) : listed(names)
  return [`every ${each}${inMonths}`, ...lastPart]
}

const rangeOf = (names: readonly string[]): string => `day from ${names[0]} to ${names.at(-1)}`
