/** The times of a day of a schedule in words: “at 09:00 and 17:00”, “every 5 minutes from 09:00 to 17:59”. */

import type { CronFields } from './cron-fields.ts'
import { isRange, listed, ordinal } from './day-words.ts'

/** More times of a day than this are told by their fields. */
const timesMax = 8

export interface TimeWords {
  readonly words: string
  /** “at 09:00” follows the day, “every 5 minutes” stands for itself. */
  readonly isAt: boolean
}

/** The times of the days that count. */
export function timeWords(fields: CronFields): TimeWords {
  const { seconds, minutes, hours } = fields
  if (seconds.length > 1 || seconds[0] !== 0) return withSeconds(fields)
  const step = stepOf(minutes, 60)
  if (minutes.length > 1 && step !== null)
    return every(`${step === 1 ? 'every minute' : `every ${step} minutes`}${within(fields)}`)
  const at = minutes[0] === 0 && minutes.length === 1 ? '' : ` at ${minuteList(minutes)}`
  const hourStep = fields.isHourOpen && hours.length > 1 ? stepOf(hours, 24) : null
  if (hourStep !== null) return every(`${hourStep === 1 ? 'every hour' : `every ${hourStep} hours`}${at}`)
  if (hours.length * minutes.length <= timesMax && !isRange(hours)) return atTimes(fields)
  if (isRange(hours)) {
    const minute = minutes.length === 1 ? (minutes[0] ?? 0) : 0
    const [from, to] = [clock(hours[0] ?? 0, minute), clock(hours.at(-1) ?? 0, minute)]
    if (minutes.length === 1) return every(`every hour from ${from} to ${to}`)
  }
  return every(`${minuteOnly(minutes)}${within(fields)}`)
}

const every = (words: string): TimeWords => ({ words, isAt: false })

const minuteOnly = (minutes: readonly number[]): string =>
  minutes.length === 1 && minutes[0] === 0 ? 'on the hour' : `at ${minuteList(minutes)}`

function withSeconds(fields: CronFields): TimeWords {
  const { seconds, minutes, hours } = fields
  if (hours.length * minutes.length * seconds.length <= timesMax && !fields.isHourOpen) return atTimes(fields)
  const step = stepOf(seconds, 60)
  const steady = step !== null && seconds.length > 1
  const part = steady
    ? step === 1
      ? 'every second'
      : `every ${step} seconds`
    : `at ${seconds.length === 1 ? 'second' : 'seconds'} ${listed(seconds.map(String))}`
  const isEachMinute = minutes.length === 60
  if (isEachMinute) return every(`${part}${steady ? '' : ' of every minute'}${within(fields)}`)
  const minuteStep = minutes.length > 1 ? stepOf(minutes, 60) : null
  const ofMinutes = minuteStep === null ? minuteList(minutes) : `every ${ordinal(minuteStep)} minute`
  return every(`${part} of ${ofMinutes}${within(fields)}`)
}

const minuteList = (minutes: readonly number[]): string =>
  isRange(minutes)
    ? `minutes ${minutes[0]} to ${minutes.at(-1)}`
    : `${minutes.length === 1 ? 'minute' : 'minutes'} ${listed(minutes.map(String))}`

/** The hours for what happens several times in each; nothing when each hour counts. */
function within({ hours, isHourOpen }: CronFields): string {
  if (hours.length === 24 && isHourOpen) return ''
  const step = isHourOpen && hours.length > 1 ? stepOf(hours, 24) : null
  if (step !== null) return ` of every ${ordinal(step)} hour`
  if (isRange(hours) || hours.length === 1)
    return ` from ${clock(hours[0] ?? 0, 0)} to ${clock(hours.at(-1) ?? 0, 59)}`
  return ` in the hours ${listed(hours.map(two))}`
}

function atTimes({ seconds, minutes, hours }: CronFields): TimeWords {
  const hasSeconds = seconds.length > 1 || seconds[0] !== 0
  const times = hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => `${clock(hour, minute)}${hasSeconds ? `:${two(second)}` : ''}`),
    ),
  )
  return { words: `at ${listed(times)}`, isAt: true }
}

/** The step of values that begin with 0 and fill the whole evenly; null for others. */
function stepOf(values: readonly number[], whole: number): number | null {
  const step = whole / values.length
  return values.every((value, index) => value === index * step) ? step : null
}

const two = (value: number): string => String(value).padStart(2, '0')
const clock = (hour: number, minute: number): string => `${two(hour)}:${two(minute)}`
