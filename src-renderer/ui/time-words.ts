/** Spans and instants in few characters: `840 ms`, `3.2 s`, `2 m 05 s`, `14:03`, `yesterday 09:12`. */

import type { RunTimes } from '../../src-engine/model/run-time.ts'
import { runTookMs } from '../../src-engine/model/run-time.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A span, precise where it is short. */
export function spanWords(ms: number): string {
  if (ms < secondMs) return `${Math.round(ms)} ms`
  if (ms < minuteMs) return `${(ms / secondMs).toFixed(1)} s`
  if (ms < hourMs)
    return `${Math.floor(ms / minuteMs)} m ${twoDigits(Math.floor((ms % minuteMs) / secondMs))} s`
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ${twoDigits(Math.floor((ms % hourMs) / minuteMs))} m`
  return `${Math.floor(ms / dayMs)} d ${Math.floor((ms % dayMs) / hourMs)} h`
}

/** A clock that has gone on for longer has no tenths: they race by, and nobody needs them. */
const tenthsUntilMs = 10 * secondMs

/**
 * How long something has gone on by now. From ten seconds on in whole seconds, which all clocks of a page count at the same
 * moment, so that they are drawn together; `tenthsMs` says where that begins.
 */
export function goingWords(since: number, now: number, tenthsMs = tenthsUntilMs): string {
  const ms = Math.max(0, now - since)
  if (ms < tenthsMs) return spanWords(ms)
  return wholeWords(Math.max(tenthsMs, wholeSecond(now) - since))
}

/** How long there is still until an instant, counted as `goingWords` does. */
export function leftWords(until: number, now: number, tenthsMs = tenthsUntilMs): string {
  const ms = Math.max(0, until - now)
  return ms < tenthsMs ? spanWords(ms) : wholeWords(until - wholeSecond(now))
}

const wholeSecond = (now: number): number => Math.floor(now / secondMs) * secondMs
const wholeWords = (ms: number): string => (ms < minuteMs ? `${Math.floor(ms / secondMs)} s` : spanWords(ms))

/** An instant as seen from `now`. */
export function instantWords(at: number, now: number): string {
  const date = new Date(at)
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
  if (now - at < 45 * secondMs) return 'just now'
  if (now - at < hourMs) return `${Math.max(1, Math.round((now - at) / minuteMs))} min ago`
  if (sameDay(date, new Date(now))) return time
  if (sameDay(date, new Date(now - dayMs))) return `yesterday ${time}`
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`
}

/** An instant ahead as seen from `now`: `in 12 s`, `in 2 h 05 m`, `tomorrow 09:00`, `Mon 09:00`, `24 Dec 09:00`. */
export function aheadWords(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'now'
  if (left < minuteMs) return `in ${Math.ceil(left / secondMs)} s`
  if (left < hourMs) return `in ${Math.ceil(left / minuteMs)} min`
  if (left < 6 * hourMs) return `in ${spanWords(left)}`
  const date = new Date(at)
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
  if (sameDay(date, new Date(now))) return `today ${time}`
  if (sameDay(date, new Date(now + dayMs))) return `tomorrow ${time}`
  if (left < 6 * dayMs) return `${date.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`
}

/** A moment that may be days away: `21 Nov 16:22:58`. */
export function momentWords(at: number): string {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return `${day} ${clockWords(at).slice(0, 8)}`
}

/** The time of day to the second, for logs. */
export function clockWords(at: number): string {
  const date = new Date(at)
  const seconds = `${twoDigits(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${seconds}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

function sameDay(left: Date, right: Date): boolean {
  return left.toDateString() === right.toDateString()
}

/** Whether what is looked at is what is so now, not a moment of the past. */
export const isNow = (until: number): boolean => until === Number.POSITIVE_INFINITY

/** The time that counts where a moment of the past is looked at. */
export const shownAt = (now: number, until: number): number => (isNow(until) ? now : until)

/** How long a run was at work, or has been until then. */
export function runTime(run: RunTimes, then: number): string {
  if (run.startedAt === null) return ''
  const tookMs = runTookMs(run)
  return tookMs === null ? goingWords(run.startedAt + (run.idleMs ?? 0), then) : spanWords(tookMs)
}
