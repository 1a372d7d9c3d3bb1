/** The words and the next slots of a schedule, from the calculator that fires it. */

import type { PreviewedSlot, SchedulePreview } from '../../model/schedule-preview.ts'
import type { Instant } from '../../model/time.ts'
import type { CronCalculator, CronParameters } from './cron-calculator.ts'
import { createCronCalculator } from './cron-calculator.ts'
import { describeSchedule } from './cron-words.ts'

/** The first slots after an instant. Throws `bad_request` for what can't be read. */
export function previewSchedule(
  parameters: CronParameters,
  range: { readonly after: Instant; readonly count: number },
): SchedulePreview {
  const calculator = createCronCalculator(parameters)
  const slots = calculator.between(range.after, Number.POSITIVE_INFINITY, range.count)
  return {
    words: describeSchedule(calculator, parameters),
    rule: ruleOf(calculator),
    timeZone: calculator.timeZone,
    slots: slots.map((slot) => previewSlot(calculator, slot)),
  }
}

/** One slot as a person is shown it. */
function previewSlot(calculator: CronCalculator, slot: Instant): PreviewedSlot {
  return {
    at: slot,
    fireAt: calculator.fireAt(slot),
    local: localText(slot, calculator.offsetAt(slot)),
    change: calculator.changeAt(slot),
  }
}

function ruleOf({ fields, timeZone }: CronCalculator): string | null {
  if (timeZone === 'UTC') return null
  if (fields === null)
    return 'It counts time that passes: where clocks change, they show another time at its starts.'
  return fields.isHourOpen
    ? 'Where clocks change, it starts whenever they show one of its times: not in an hour that is skipped, twice in one that comes twice.'
    : 'Where clocks are set forward over its time, it starts once they have been; where its time comes twice, it starts the first time.'
}

/** 2026-03-29T03:00:00+02:00. */
function localText(at: Instant, offset: number): string {
  const shown = new Date(at + offset).toISOString().slice(0, 19)
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${shown}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
