/** A cron expression as numbers: cron-parser reads it, and this keeps what the calculator asks for. */

import { CronExpressionParser } from 'cron-parser'
import type { CronFault, CronFieldName, CronText } from '../../model/cron-text.ts'
import { isCronFault, readCronText } from '../../model/cron-text.ts'
import { SagasmithError } from '../../model/errors.ts'

/** Ascending values of each field; weekdays count from Sunday, 0. */
export interface CronFields {
  readonly text: CronText
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: readonly number[]
  readonly months: readonly number[]
  readonly weekdays: readonly number[]
  readonly isLastDay: boolean
  /** Weekdays of which only the last of the month counts. */
  readonly lastWeekdays: readonly number[]
  /** Only this occurrence of the weekdays in the month counts; null when each does. */
  readonly nth: number | null
  /** The field is * or ? and nothing else: it leaves the other day field alone. */
  readonly isEveryDay: boolean
  readonly isEveryWeekday: boolean
  /** The hour is a wildcard or has a step: what counts is each instant that exists, however often. */
  readonly isHourOpen: boolean
}

/** Many triggers share few expressions, and a form asks for the same one with each letter of another field. */
const knownMax = 500
const known = new Map<string, CronFields>()

/** Reads an expression of five fields, or of six beginning with seconds. Throws `bad_request`. */
export function readCronFields(expression: string): CronFields {
  const found = known.get(expression)
  if (found !== undefined) return found
  const fields = readFields(expression)
  const [oldest] = known.keys()
  if (known.size >= knownMax && oldest !== undefined) known.delete(oldest)
  known.set(expression, fields)
  return fields
}

function readFields(expression: string): CronFields {
  const text = readCronText(expression)
  if (isCronFault(text)) throw unreadable(expression, text)
  const { second, minute, hour, day, month, weekday } = text.fields
  // Apart from the month: cron-parser refuses days that none of the months has, and a date that never comes
  // is a schedule that never fires, not a mistake of spelling.
  const { fields } = parse(expression, [second, minute, hour, day, { text: '*' }, weekday])
  const monthly = parse(expression, [{ text: '0' }, { text: '0' }, { text: '0' }, { text: '1' }, month, star])
  const days = fields.dayOfMonth.values
  const weekdays = fields.dayOfWeek.values
  return {
    text,
    seconds: fields.second.values,
    minutes: fields.minute.values,
    hours: fields.hour.values,
    days: days.filter((value) => typeof value === 'number'),
    months: monthly.fields.month.values,
    weekdays: distinct(weekdays.filter((value) => typeof value === 'number').map((value) => value % 7)),
    isLastDay: fields.dayOfMonth.hasLastChar,
    lastWeekdays: distinct(
      weekdays.filter((value) => typeof value === 'string').map((value) => Number.parseInt(value, 10) % 7),
    ),
    nth: fields.dayOfWeek.nthDay === 0 ? null : fields.dayOfWeek.nthDay,
    isEveryDay: isWildcard(day.text),
    isEveryWeekday: isWildcard(weekday.text),
    isHourOpen: hour.items.some((item) => item.kind === 'every' || ('step' in item && item.step !== null)),
  }
}

const star = { text: '*' }

const isWildcard = (text: string): boolean => text === '*' || text === '?'

const distinct = (values: readonly number[]): readonly number[] => [...new Set(values)].sort((a, b) => a - b)

function parse(
  expression: string,
  fields: readonly { readonly text: string }[],
): ReturnType<typeof CronExpressionParser.parse> {
  try {
    return CronExpressionParser.parse(fields.map(({ text }) => text).join(' '), { tz: 'UTC' })
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    throw unreadable(expression, { field: null, position: 0, message })
  }
}

function unreadable(expression: string, { field, position, message }: CronFault): SagasmithError {
  return new SagasmithError('bad_request', {
    message: `“${expression}” is no cron expression: ${message}.`,
    hint: 'Use five fields, minute hour day month weekday: */5 * * * * is every five minutes.',
    details: { expression, position, ...(field === null ? {} : { field: field satisfies CronFieldName }) },
  })
}
