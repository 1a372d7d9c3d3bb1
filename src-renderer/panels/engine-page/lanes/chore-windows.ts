/** Where the runners' windows lie over the cycle that is over, the one that is on and the next. Pure. */

import type { Instant } from '../../../../src-engine/model/time.ts'
import type {
  AtomicServiceStatus,
  AtomicServiceTurn,
} from '../../../../src-engine/protocol/atomic-service.ts'
import type { LaneSpan } from './lane-rows.ts'

export interface ChoreWindow extends LaneSpan {
  readonly runnerId: string
  /** Whether it lies in the cycle that is on. */
  readonly isCurrent: boolean
}

export interface ChoreStrip {
  readonly span: LaneSpan
  readonly windows: readonly ChoreWindow[]
  /** The turns of that time, oldest first. */
  readonly turns: readonly AtomicServiceTurn[]
}

/** The windows are the same in each cycle as long as the same runners take part. */
export function choreStrip({ now, intervalMs, slots, turns }: AtomicServiceStatus): ChoreStrip {
  const begin = cycleStart(now, intervalMs)
  const span = { from: begin - intervalMs, to: begin + 2 * intervalMs }
  const windows = slots.flatMap(({ runnerId, slotStart, slotEnd }) => {
    if (slotStart === null || slotEnd === null) return []
    const offset = cycleStart(slotStart, intervalMs)
    return [-1, 0, 1].map((cycle) => {
      const by = begin - offset + cycle * intervalMs
      return { runnerId, from: slotStart + by, to: slotEnd + by, isCurrent: cycle === 0 }
    })
  })
  return { span, windows, turns: turns.filter(({ startedAt }) => startedAt >= span.from).toReversed() }
}

const cycleStart = (at: Instant, intervalMs: number): Instant => Math.floor(at / intervalMs) * intervalMs
