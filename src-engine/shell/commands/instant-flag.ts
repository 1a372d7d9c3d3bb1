/** Instants on the command line: a date, a date with a time, or how long ago. */

import type { Instant } from '../../model/time.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { usageError } from './command.ts'

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day }

/** `2026-11-21`, `2026-11-21T10:00`, or `90m`, `2h`, `7d` before `now`. */
export function instantOf(text: string, now: Instant): Instant {
  const ago = /^(\d{1,6})([smhd])$/.exec(text.trim())
  if (ago !== null) return now - Number(ago[1]) * (units[ago[2] ?? ''] ?? 0)
  const at = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  if (Number.isFinite(at)) return at
  throw usageError(
    `“${text}” is no instant.`,
    'Use a date such as 2026-11-21 or 2026-11-21T10:00, or how long ago: 90m, 2h, 7d.',
  )
}
