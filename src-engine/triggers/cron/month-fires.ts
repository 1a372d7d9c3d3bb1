/** Which slots schedules have in a month, as one list in the order in which they start. */

import type { Instant, Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'
import type { CronCalculator, CronParameters } from './cron-calculator.ts'
import { createCronCalculator } from './cron-calculator.ts'

export type Overlap = 'skip' | 'queue' | 'allow' | 'cancel-running'

/** A schedule of which a month is asked. */
export interface PlannedSchedule {
  readonly id: string
  readonly parameters: CronParameters & { readonly overlap?: Overlap }
  /** How long a run takes, as far as is known. */
  readonly durationMs: Millis | null
}

export interface ReadSchedule extends PlannedSchedule {
  readonly calculator: CronCalculator
  /** Times of a day that counts, in a zone without changes. */
  readonly timesPerDay: number
  /** Slots are looked at one by one; else they are only counted. */
  readonly isLookedAt: boolean
}

/** More slots than this aren't looked at one by one: a strip of a month is to be there at once. */
const firesMax = 250_000
const daysMax = 33

/** Reads schedules; those that come most often are only counted when all together are too many. */
export function readSchedules(planned: readonly PlannedSchedule[]): {
  readonly schedules: readonly ReadSchedule[]
  readonly unreadable: readonly { readonly id: string; readonly message: string }[]
} {
  const unreadable: { id: string; message: string }[] = []
  const read: ReadSchedule[] = []
  for (const one of planned) {
    try {
      const calculator = createCronCalculator({ key: one.id, ...one.parameters })
      const timesPerDay = timesPerDayOf(calculator)
      read.push({ ...one, calculator, timesPerDay, isLookedAt: true })
    } catch (thrown) {
      unreadable.push({ id: one.id, message: thrown instanceof Error ? thrown.message : String(thrown) })
    }
  }
  let total = 0
  const busy = new Set<ReadSchedule>()
  for (const one of read.toSorted((a, b) => a.timesPerDay - b.timesPerDay)) {
    total += one.timesPerDay * daysMax
    if (total > firesMax) busy.add(one)
  }
  return { schedules: read.map((one) => ({ ...one, isLookedAt: !busy.has(one) })), unreadable }
}

function timesPerDayOf({ fields, everyMs }: CronCalculator): number {
  if (fields === null) return Math.ceil(day / (everyMs ?? day))
  return fields.hours.length * fields.minutes.length * fields.seconds.length
}

/** Slots with the place of their schedule, in the order in which they start. */
export interface Fires {
  readonly at: (index: number) => Instant
  readonly schedule: (index: number) => number
  readonly count: number
}

/** What is looked at starts between two instants. */
export function firesOf(
  schedules: readonly ReadSchedule[],
  range: { readonly after: Instant; readonly upTo: Instant },
): Fires {
  const places = Math.max(1, schedules.length)
  const packed: number[] = []
  for (const [place, { calculator, isLookedAt, parameters }] of schedules.entries()) {
    if (!isLookedAt) continue
    const isSpread = (parameters.jitterMs ?? 0) > 0
    for (const slot of calculator.between(range.after, range.upTo, firesMax)) {
      const at = isSpread ? calculator.fireAt(slot) : slot
      packed.push((at - range.after) * places + place)
    }
  }
  // Numbers sort many times faster than objects; a month has fewer than 2^32 milliseconds.
  const sorted = Float64Array.from(packed).sort()
  return {
    count: sorted.length,
    at: (index) => range.after + Math.floor((sorted[index] ?? 0) / places),
    schedule: (index) => (sorted[index] ?? 0) % places,
  }
}
