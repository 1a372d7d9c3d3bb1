/** A schedule as a person would say it: “every weekday at 09:00 in Lisbon”. */

import type { CronFields } from './cron-fields.ts'
import { dayWords } from './day-words.ts'
import { timeWords } from './time-words.ts'

/** The words of an expression in a zone. They say all of it: two that differ don't mean the same times. */
export function describeCron(fields: CronFields, timeZone: string): string {
  const days = dayWords(fields)
  const { words, isAt } = timeWords(fields)
  const zone = zoneWords(timeZone)
  if (isAt) return `${days ?? 'every day'} ${words} ${zone}`
  return days === null ? `${words} ${zone}` : `${days}, ${words} ${zone}`
}

/** “in Lisbon”, “in UTC”. */
function zoneWords(timeZone: string): string {
  const isPlace = timeZone.includes('/') && !timeZone.startsWith('Etc/')
  return `in ${isPlace ? (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ') : timeZone}`
}
