/** A schedule as a person would say it: “every weekday at 09:00 in Lisbon”. */

import { intervalWords } from '../../model/interval-text.ts'
import type { CronCalculator, CronParameters } from './cron-calculator.ts'
import type { CronFields } from './cron-fields.ts'
import { dayWords, listed } from './day-words.ts'
import { timeWords } from './time-words.ts'

/** The words of an expression in a zone. They say all of it: two that differ don't mean the same times. */
export function describeCron(fields: CronFields, timeZone: string): string {
  const days = dayWords(fields)
  const { words, isAt } = timeWords(fields)
  const zone = zoneWords(timeZone)
  if (isAt) return `${days ?? 'every day'} ${words} ${zone}`
  return days === null ? `${words} ${zone}` : `${days}, ${words} ${zone}`
}

/** The same with what else narrows the schedule: its period, and the days that are left out. */
export function describeSchedule(
  { fields, everyMs }: Pick<CronCalculator, 'fields' | 'everyMs'>,
  parameters: CronParameters,
): string {
  const { timeZone = 'UTC', startAt = '', endAt = '', except = [], jitterMs = 0 } = parameters
  const from = everyMs === null ? `from ${startAt}` : `from ${startAt} ${zoneWords(timeZone)}`
  return [
    fields === null ? `every ${intervalWords(everyMs ?? 0)}` : describeCron(fields, timeZone),
    ...(startAt === '' ? [] : [from]),
    ...(endAt === '' ? [] : [`until ${endAt}`]),
    ...(except.length === 0 ? [] : [`but not on ${exceptWords(except)}`]),
    ...(jitterMs <= 0 ? [] : ['a little later each time']),
  ].join(', ')
}

const exceptShownMax = 5

function exceptWords(except: readonly string[]): string {
  const more = except.length - exceptShownMax
  const shown = except.slice(0, exceptShownMax).map((entry) => entry.toUpperCase().replace('..', ' to '))
  return more > 0 ? `${shown.join(', ')} and ${more} more` : listed(shown)
}

/** “in Lisbon”, “in UTC”. */
function zoneWords(timeZone: string): string {
  const isPlace = timeZone.includes('/') && !timeZone.startsWith('Etc/')
  return `in ${isPlace ? (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ') : timeZone}`
}
