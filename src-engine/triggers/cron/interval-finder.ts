/** Slots that lie a fixed time apart, whatever clocks show. All in seconds. */

import type { LeftOutDays } from '../../model/left-out-days.ts'
import type { ZoneTable } from './zone-table.ts'
import { instantOf } from './zone-table.ts'

export interface IntervalPlan {
  readonly every: number
  /** A slot, from which the others are counted. */
  readonly anchor: number
  readonly zone: ZoneTable
  readonly isLeftOut: LeftOutDays
  /** Nothing is looked for outside of these. */
  readonly range: { readonly first: number; readonly last: number }
}

const daySeconds = 86_400

export function intervalFinder({ every, anchor, zone, isLeftOut, range }: IntervalPlan): {
  readonly after: (second: number) => number | null
  readonly before: (second: number) => number | null
} {
  /** The day of the zone on which an instant lies. */
  const dayOf = (second: number): number => Math.floor((second + zone.at(second).offset) / daySeconds)
  const atOrAfter = (second: number): number => anchor + Math.ceil((second - anchor) / every) * every
  const atOrBefore = (second: number): number => anchor + Math.floor((second - anchor) / every) * every
  return {
    after: (second) => {
      let slot = atOrAfter(Math.max(second + 1, range.first))
      while (slot <= range.last) {
        const day = dayOf(slot)
        if (!isLeftOut(day)) return slot
        // Always ahead, also where a zone leaves a day out.
        slot = atOrAfter(Math.max(instantOf(zone, (day + 1) * daySeconds), slot + 1))
      }
      return null
    },
    before: (second) => {
      let slot = atOrBefore(Math.min(second - 1, range.last))
      while (slot >= range.first) {
        const day = dayOf(slot)
        if (!isLeftOut(day)) return slot
        slot = atOrBefore(Math.min(instantOf(zone, day * daySeconds) - 1, slot - 1))
      }
      return null
    },
  }
}
