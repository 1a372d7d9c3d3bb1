/** The next slots of a schedule as rows for people. */

import type { PreviewedSlot } from '../../../../src-engine/model/schedule-preview.ts'
import { fill } from '../../../text/messages.ts'
import { triggers as words } from '../../../text/trigger-words.ts'

export interface PreviewRow {
  readonly key: number
  /** Sun 29 Mar 2026. */
  readonly date: string
  /** 03:00, or 03:00:30. */
  readonly time: string
  /** 01:00 UTC, with the day where it is another one. */
  readonly utc: string
  /** What clocks or the spread do to it; empty for most. */
  readonly note: string
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The row of a slot. */
export function previewRow({ at, fireAt, local, change }: PreviewedSlot): PreviewRow {
  const shown = new Date(`${local.slice(0, 19)}Z`)
  const utc = new Date(at).toISOString()
  const notes = [
    ...(change === null ? [] : [words.change[change]]),
    ...(fireAt === at ? [] : [fill(words.late, { span: spanOf(fireAt - at) })]),
  ]
  return {
    key: at,
    date: dateOf(shown),
    time: timeOf(local.slice(11, 19)),
    utc: `${utc.slice(0, 10) === local.slice(0, 10) ? '' : `${dateOf(new Date(at))} `}${timeOf(utc.slice(11, 19))} UTC`,
    note: notes.join(', '),
  }
}

function dateOf(date: Date): string {
  const [weekday, month] = [weekdays[date.getUTCDay()], months[date.getUTCMonth()]]
  return `${weekday} ${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`
}

/** Seconds only where there are some. */
const timeOf = (text: string): string => (text.endsWith(':00') ? text.slice(0, 5) : text)

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
