/**
 * The text of a cron expression, as a person wrote it: five or six fields and what stands in them. This says
 * which expressions Sagasmith takes and where one goes wrong; what they mean is the trigger's own business.
 */

/** The fields in the order in which six of them are written; five begin with the minute. */
export const cronFieldNames = ['second', 'minute', 'hour', 'day', 'month', 'weekday'] as const

export type CronFieldName = (typeof cronFieldNames)[number]

/** What one entry of a field's list says. Weekdays count from Sunday, 0; 7 is Sunday too. */
export type CronItem =
  | { readonly kind: 'every'; readonly step: number | null }
  | { readonly kind: 'value'; readonly value: number }
  | {
      readonly kind: 'range'
      readonly from: number
      readonly to: number
      readonly step: number | null
      /** Written without an end, such as 5/15: to the end of the field. */
      readonly isOpenEnded: boolean
    }
  | { readonly kind: 'last-day' }
  | { readonly kind: 'last-weekday'; readonly weekday: number }
  | { readonly kind: 'nth-weekday'; readonly weekday: number; readonly nth: number }

/** One field: its own text, and what it says. */
export interface CronField {
  readonly text: string
  readonly items: readonly CronItem[]
}

export interface CronText {
  readonly fields: Readonly<Record<CronFieldName, CronField>>
  readonly hasSeconds: boolean
}

/** Where and why a text is no expression; `position` is an index into it. */
export interface CronFault {
  readonly field: CronFieldName | null
  readonly position: number
  /** Ends a sentence: “… is no cron expression: <message>.” */
  readonly message: string
}

/** Longer texts are no schedules but mistakes; the longest useful ones have some hundred characters. */
const expressionLengthMax = 512

const bounds: Readonly<Record<CronFieldName, readonly [number, number]>> = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 7],
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
  ['@weekdays', '0 0 * * 1-5'],
  ['@weekends', '0 0 * * 0,6'],
])

class Fault extends Error {
  readonly found: CronFault
  constructor(found: CronFault) {
    super(found.message)
    this.found = found
  }
}

/** Where an entry stands: the field, the entry's text and its position in the whole expression. */
interface Place {
  readonly field: CronFieldName
  readonly text: string
  readonly position: number
}

/** Reads an expression; what is wrong with it instead, when it is none. */
export function readCronText(expression: string): CronText | CronFault {
  try {
    return read(expression)
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.found
    throw thrown
  }
}

/** Whether reading ended in a fault. */
export const isCronFault = (result: CronText | CronFault): result is CronFault => 'message' in result

function read(expression: string): CronText {
  const whole = (message: string): Fault => new Fault({ field: null, position: 0, message })
  if (expression.length > expressionLengthMax)
    throw whole(`it has more than ${expressionLengthMax} characters`)
  const trimmed = expression.trim()
  if (trimmed.startsWith('@')) {
    const meaning = nicknames.get(trimmed)
    if (meaning !== undefined) return read(meaning)
    throw whole(`“${trimmed}” is not among ${[...nicknames.keys()].join(', ')} and @every with a time`)
  }
  const parts = [...expression.matchAll(/\S+/g)]
  if (parts.length !== 5 && parts.length !== 6)
    throw whole(`it has ${parts.length === 0 ? 'no' : parts.length} fields, and five or six are needed`)
  const hasSeconds = parts.length === 6
  const fieldAt = (field: CronFieldName, index: number): CronField => {
    const part = parts[hasSeconds ? index : index - 1]
    return part === undefined
      ? { text: '0', items: [{ kind: 'value', value: 0 }] }
      : readField({ field, text: part[0], position: part.index })
  }
  const [second, minute, hour] = [fieldAt('second', 0), fieldAt('minute', 1), fieldAt('hour', 2)]
  const [day, month, weekday] = [fieldAt('day', 3), fieldAt('month', 4), fieldAt('weekday', 5)]
  return { fields: { second, minute, hour, day, month, weekday }, hasSeconds }
}

function readField(place: Place): CronField {
  const items: CronItem[] = []
  const seen = new Set<string>()
  let position = place.position
  for (const text of place.text.split(',')) {
    const at = { field: place.field, text, position }
    const item = readItem(at)
    for (const name of namesOf(place.field, item)) {
      if (seen.has(name)) throw faultAt(at, `“${text}” names ${name}, which is named before`)
      seen.add(name)
    }
    items.push(item)
    position += text.length + 1
  }
  if (items.length > 1 && items.some(({ kind }) => kind === 'nth-weekday'))
    throw faultAt(place, 'a weekday with # stands alone; make a second trigger for the others')
  return { text: place.text, items }
}

function readItem(place: Place): CronItem {
  const { field, text } = place
  if (text === '') throw faultAt(place, 'there is an entry missing beside a comma')
  if (field === 'day' && text === 'L') return { kind: 'last-day' }
  const special = field === 'weekday' ? readSpecialWeekday(place) : null
  if (special !== null) return special
  const [range = '', stepText, ...more] = text.split('/')
  if (more.length > 0) throw faultAt(place, `“${text}” has more than one step`)
  const step = stepText === undefined ? null : readStep(place, stepText)
  if (range === '*' || range === '?') return { kind: 'every', step }
  const [fromText = '', toText, ...others] = range.split('-')
  if (others.length > 0) throw faultAt(place, `“${text}” has more than one range`)
  const from = readValue(place, fromText)
  if (toText === undefined && step === null) return { kind: 'value', value: from }
  const to = toText === undefined ? bounds[field][1] : readValue(place, toText)
  if (from > to) throw faultAt(place, `“${range}” ends before it begins${sundayHint(field, toText)}`)
  return { kind: 'range', from, to, step, isOpenEnded: toText === undefined }
}

const sundayHint = (field: CronFieldName, toText: string | undefined): string =>
  field === 'weekday' && /^(0|sun)$/i.test(toText ?? '') ? '; Sunday at the end of a range is 7' : ''

/** 5L, FRIL, 5#2 and FRI#2; null when the entry is none of them. */
function readSpecialWeekday(place: Place): CronItem | null {
  const [, dayText, sign, nthText] = /^(.*?)(?:(#)(.*)|L)$/.exec(place.text) ?? []
  if (dayText === undefined) return null
  if (dayText === '') throw faultAt(place, `“${place.text}” doesn’t say which weekday; Friday’s is 5L or 5#1`)
  const weekday = readValue(place, dayText) % 7
  if (sign === undefined) return { kind: 'last-weekday', weekday }
  if (!/^[1-5]$/.test(nthText ?? '')) throw faultAt(place, `after # stands a number from 1 to 5`)
  return { kind: 'nth-weekday', weekday, nth: Number(nthText) }
}

function readStep(place: Place, text: string): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (step === 0) throw faultAt(place, `the step in “${place.text}” is no number from 1 up`)
  return step
}

function readValue(place: Place, text: string): number {
  const value = numberOf(place.field, text)
  const [min, max] = bounds[place.field]
  if (value !== null && value >= min && value <= max) return value
  const names = place.field === 'month' ? ' or JAN to DEC' : place.field === 'weekday' ? ' or SUN to SAT' : ''
  throw faultAt(place, `“${text}” is not among ${min} to ${max}${names}${unsupported(text)}`)
}

function unsupported(text: string): string {
  if (/^h/i.test(text)) return ' (H is not supported; a spread does the same)'
  if (/w$/i.test(text)) return ' (W, the nearest weekday, is not supported)'
  return ''
}

function numberOf(field: CronFieldName, text: string): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  if (field === 'month') return months.indexOf(text.toUpperCase()) + 1 || null
  const weekday = field === 'weekday' ? weekdays.indexOf(text.toUpperCase()) : -1
  return weekday === -1 ? null : weekday
}

/** What an entry names, once each: what is named twice in one field is a slip. */
function namesOf(field: CronFieldName, item: CronItem): readonly string[] {
  if (item.kind === 'last-day') return ['the last day']
  if (item.kind === 'last-weekday') return [`the last ${weekdays[item.weekday]}`]
  if (item.kind === 'nth-weekday') return [`${weekdays[item.weekday]} ${item.nth}`]
  return cronItemValues(field, item).map(String)
}

/** The numbers that an entry names, ascending; of L and #, none. Sunday is 0. */
export function cronItemValues(field: CronFieldName, item: CronItem): readonly number[] {
  if (item.kind === 'value') return [field === 'weekday' ? item.value % 7 : item.value]
  if (item.kind !== 'every' && item.kind !== 'range') return []
  const [min, max] = item.kind === 'range' ? [item.from, item.to] : bounds[field]
  const values = new Set<number>()
  for (let value = min; value <= max; value += item.step ?? 1)
    values.add(field === 'weekday' ? value % 7 : value)
  return [...values].sort((a, b) => a - b)
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether an expression names dates of which no year has any, such as 30 February. */
export function isNeverDue({ fields }: CronText): boolean {
  const { day, month, weekday } = fields
  if (weekday.text !== '*' && weekday.text !== '?') return false
  if (day.items.some(({ kind }) => kind === 'last-day' || kind === 'every')) return false
  const first = Math.min(...day.items.flatMap((item) => cronItemValues('day', item)))
  const monthsNamed = month.items.flatMap((item) => cronItemValues('month', item))
  return monthsNamed.every((named) => (daysInMonth[named - 1] ?? 0) < first)
}

function faultAt({ field, position }: Place, message: string): Fault {
  return new Fault({ field, position, message: `in the field of the ${field}, ${message}` })
}
