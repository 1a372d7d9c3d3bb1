/** `@every 90m`, `@every 1d12h`: a schedule that counts time that passes, which no cron expression can say. */

import type { CronFault } from './cron-text.ts'
import type { Millis } from './time.ts'
import { day, hour, minute, second } from './time.ts'

/** An interval as a person wrote it. */
export interface IntervalText {
  readonly everyMs: Millis
}

const units: ReadonlyMap<string, Millis> = new Map([
  ['d', day],
  ['h', hour],
  ['m', minute],
  ['s', second],
])

/** Longer is a date that somebody has to remember. */
const everyMsMax: Millis = 366 * day

/** Null for a text that is meant otherwise: a cron expression. */
export function readIntervalText(text: string): IntervalText | CronFault | null {
  const found = /^\s*@every(?<span>.*)$/.exec(text)?.groups?.['span']
  if (found === undefined) return null
  const span = found.replaceAll(/\s/g, '').toLowerCase()
  const parts = [...span.matchAll(/(\d{1,9})([dhms])/g)]
  const names = parts.map(([, , unit = '']) => unit)
  const isWhole = span !== '' && parts.map(([whole]) => whole).join('') === span
  const isInOrder = names.every(
    (unit, at) => at === 0 || 'dhms'.indexOf(unit) > 'dhms'.indexOf(names[at - 1] ?? ''),
  )
  if (!isWhole || !isInOrder)
    return fault(
      'after @every comes a time such as 90m, 36h, 1d12h or 45s, from the largest unit to the smallest',
    )
  const everyMs = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units.get(unit) ?? 0), 0)
  if (everyMs < second) return fault('it would never stop: the shortest time is a second')
  return everyMs > everyMsMax ? fault('the longest time is 366 days') : { everyMs }
}

const fault = (message: string): CronFault => ({ field: null, position: 0, message })

/** “90 minutes”, “1 day and 12 hours”. */
export function intervalWords(everyMs: Millis): string {
  const names = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
    ['second', second],
  ] as const
  // One unit where one says it: 90 minutes are no “1 hour and 30 minutes”, nor 36 hours “1 day and 12 hours”.
  const whole = names.find(([, ms]) => everyMs % ms === 0 && everyMs / ms < 100)
  if (whole !== undefined) return counted(everyMs / whole[1], whole[0])
  let rest = everyMs
  const parts = names.flatMap(([name, ms]) => {
    const count = Math.floor(rest / ms)
    rest -= count * ms
    return count === 0 ? [] : [counted(count, name)]
  })
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

const counted = (count: number, name: string): string => (count === 1 ? `1 ${name}` : `${count} ${name}s`)
