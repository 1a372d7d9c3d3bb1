/** A day of the month in words: what starts, how often, and where it gets tight. */

import type { MonthDay } from '../../../../src-engine/model/month-view.ts'
import type { Instant } from '../../../../src-engine/model/time.ts'
import type { ScheduleMonth } from '../../../../src-engine/protocol/triggers.ts'
import { fill } from '../../../text/messages.ts'
import { schedules as words } from '../../../text/schedule-words.ts'
import { triggers } from '../../../text/trigger-words.ts'

export interface DayLines {
  /** Busiest first. */
  readonly starts: readonly { readonly id: string; readonly name: string; readonly count: number }[]
  readonly notes: readonly string[]
}

/** The lines of a day; times are of the zone that the month is in. */
export function dayLines(
  day: MonthDay,
  { titles, timeZone }: Pick<ScheduleMonth, 'titles' | 'timeZone'>,
): DayLines {
  const nameOf = (id: string): string => titles[id] ?? id
  const timeOf = (at: Instant): string =>
    new Date(at).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const { peak, shifted, fires } = day
  const changes: Readonly<Record<string, string>> = triggers.change
  return {
    starts: fires
      .map(({ id, count }) => ({ id, name: nameOf(id), count }))
      .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name)),
    notes: [
      ...(peak === null || peak.count < 2
        ? []
        : [
            fill(words.peak, {
              count: peak.count,
              time: timeOf(peak.at),
              names: peak.ids.map(nameOf).join(', '),
            }),
          ]),
      ...shifted.map(({ id, at, change }) =>
        fill(words.moves, { name: nameOf(id), time: timeOf(at), change: changes[change] ?? change }),
      ),
    ],
  }
}

/** The day that an arrow key leads to; the same at the edge of the month. */
export function dayAfter(key: string, index: number, count: number): number {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 },
    ...{ Home: -index, End: count - 1 - index },
  }
  const next = index + (steps[key] ?? 0)
  return next < 0 || next >= count ? index : next
}
