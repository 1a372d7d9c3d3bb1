/** The units in which a span of time is shown and written. Pure. */

import { day, hour, minute, second } from '../../../src-engine/model/time.ts'

/** From the smallest to the largest. */
export const units = [
  { title: 'milliseconds', ms: 1 },
  { title: 'seconds', ms: second },
  { title: 'minutes', ms: minute },
  { title: 'hours', ms: hour },
  { title: 'days', ms: day },
] as const

/** The largest unit in which the span is a whole number. */
export function unitOf(ms: number): number {
  if (ms === 0) return second
  return units.findLast((unit) => ms % unit.ms === 0)?.ms ?? 1
}

/** The span in a unit, to a thousandth of it. */
export const amountIn = (ms: number, unit: number): number => Number((ms / unit).toFixed(3))

/** Whether the span can be read in that unit without becoming another. */
export const isExactIn = (ms: number, unit: number): boolean => Math.round(amountIn(ms, unit) * unit) === ms
