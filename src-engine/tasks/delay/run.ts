/** Parks the invocation until its instant; the durable timer does the waiting. */

import { SagasmithError } from '../../model/errors.ts'
import { readLeftOutDays } from '../../model/left-out-days.ts'
import { timerAheadMsMax } from '../../model/limits.ts'
import type { Instant } from '../../model/time.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { minuteOfDay, readWallTime } from '../../model/wall-time.ts'
import { plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { nextOpen } from './open-hours.ts'
import type { DelayParameters } from './spec.ts'
import { zoneClock } from './zone-clock.ts'

const unitMs = { milliseconds: 1, seconds: second, minutes: minute, hours: hour, days: day }

export const delayRun: TaskRun<DelayParameters> = {
  execute(parameters, context) {
    const now = context.clock.now()
    const until = openInstant(parameters, Math.max(untilInstant(parameters, now), now))
    if (until - now > timerAheadMsMax) {
      throw new SagasmithError('task_input_invalid', {
        message: `The step would wait until ${dateText(until)}, more than ten years from now.`,
        details: { field: parameters.mode === 'until' ? 'until' : 'amount' },
      })
    }
    if (until <= now) return completed(context.input)
    return { kind: 'parked', until, reason: `waits until ${dateText(until)}`, output: context.input }
  },
}

/** The instant itself, or when the hours begin next. */
function openInstant({ hours, zone, from, to, except }: DelayParameters, at: Instant): Instant {
  if (hours === 'any') return at
  const isLeftOut = readLeftOutDays(except)
  const rules = { zone, fromMinute: minuteOfDay(from), toMinute: minuteOfDay(to) }
  const opens = typeof isLeftOut === 'string' ? null : nextOpen(at, { ...rules, isLeftOut })
  if (opens !== null) return opens
  throw new SagasmithError('task_input_invalid', {
    message: 'The hours within which the step may go on never begin: every day is left out.',
    details: { field: 'except' },
  })
}

/** As a clock of the zone shows it, where the text names no zone of its own. */
function instantOfText(text: string, zone: string): Instant {
  const wall = zone === '' ? null : readWallTime(text)
  if (wall === null) return Date.parse(text)
  return wall.kind === 'instant' ? wall.at : zoneClock(zone).instantOf(wall.wallMs)
}

function untilInstant(parameters: DelayParameters, now: Instant): Instant {
  if (parameters.mode === 'duration') return Math.ceil(now + parameters.amount * unitMs[parameters.unit])
  const { until } = parameters
  const instant = typeof until === 'string' ? instantOfText(until, parameters.zone) : until
  if (typeof instant === 'number' && Number.isFinite(instant)) return Math.ceil(instant)
  throw new SagasmithError('task_input_invalid', {
    message: `“Until” is ${plainText(until)}, which is neither a date nor milliseconds since 1970.`,
    hint: 'Give a date such as "2030-01-31T09:00:00Z".',
    details: { field: 'until' },
  })
}

/** An instant as a date; years no calendar has are given as they are. */
function dateText(instant: Instant): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString() : `${instant} ms after 1970`
}
