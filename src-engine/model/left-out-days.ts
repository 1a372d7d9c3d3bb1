/** Days on which a schedule doesn't fire: dates, ranges of dates, days of each year, weekdays. */

/** Says whether a day, counted from 1970-01-01, is left out. */
export type LeftOutDays = (day: number) => boolean

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const dayMs = 86_400_000

/**
 * Reads entries such as 2026-12-25, 2026-12-24..2027-01-02, 12-25 (each year), 12-24..01-02 (each year) and
 * SAT. Returns the text of the first entry that is none of them.
 */
export function readLeftOutDays(entries: readonly string[]): LeftOutDays | string {
  const rules: LeftOutDays[] = []
  for (const entry of entries) {
    const rule = readEntry(entry.trim())
    if (rule === null) return entry
    rules.push(rule)
  }
  return rules.length === 0 ? nothing : (day) => rules.some((rule) => rule(day))
}

const nothing: LeftOutDays = () => false

function readEntry(entry: string): LeftOutDays | null {
  const weekday = weekdays.indexOf(entry.toUpperCase())
  // 1970-01-01 was a Thursday.
  if (weekday !== -1) return (day) => (((day + 4) % 7) + 7) % 7 === weekday
  const [fromText = '', toText = fromText, ...more] = entry.split('..')
  if (more.length > 0) return null
  const [fromDate, toDate] = [dayOfDate(fromText), dayOfDate(toText)]
  if (fromDate !== null && toDate !== null)
    return fromDate > toDate ? null : (day) => day >= fromDate && day <= toDate
  const [from, to] = [dayOfYear(fromText), dayOfYear(toText)]
  if (from === null || to === null) return null
  return (day) => {
    const date = new Date(day * dayMs)
    const here = (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
    return from <= to ? here >= from && here <= to : here >= from || here <= to
  }
}

/** The day of a date such as 2026-12-25; null when there is no such date. */
export function dayOfDate(text: string): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return null
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date))
  return new Date(at).toISOString().slice(0, 10) === text ? at / dayMs : null
}

/** 12-25 as 1225; 29 February is one. */
function dayOfYear(text: string): number | null {
  const isThere = dayOfDate(`2024-${text}`) !== null
  return isThere ? Number(text.slice(0, 2)) * 100 + Number(text.slice(3)) : null
}
