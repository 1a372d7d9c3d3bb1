/** Instants and spans on the command line: a date, a date with a time, how long ago, how long. */

import type { Instant, Millis } from '../../model/time.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { usageError } from './command.ts'

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day }

/** `2026-11-21`, `2026-11-21T10:00`, or `90m`, `2h`, `7d` before `now`. */
export function instantOf(text: string, now: Instant): Instant {
  const ago = spanIn(text)
  if (ago !== null) return now - ago
  const at = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  if (Number.isFinite(at)) return at
  throw usageError(
    `“${text}” is no instant.`,
    'Use a date such as 2026-11-21 or 2026-11-21T10:00, or how long ago: 90m, 2h, 7d.',
  )
}

/** `90s`, `10m`, `2h`, `7d`. */
export function spanOf(text: string): Millis {
  const span = spanIn(text)
  if (span !== null) return span
  throw usageError(`“${text}” is no span of time.`, 'Use a number with its unit: 90s, 10m, 2h.')
}

function spanIn(text: string): Millis | null {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? []
  return count === undefined ? null : Number(count) * (units[unit] ?? 0)
}
