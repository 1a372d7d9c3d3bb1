/** What becomes of the slots of a schedule that nobody has decided yet. Pure: the same from whoever looks. */

import type { Instant, Millis } from '../../model/time.ts'
import { minute } from '../../model/time.ts'
import type { SkipReason } from '../../model/trigger.ts'
import type { CronCalculator } from '../../triggers/cron/cron-calculator.ts'

/** Of the slots that passed while nobody was there: none, the newest, or the newest few are made up for. */
export interface CatchUp {
  readonly mode: 'skip' | 'once' | 'all'
  readonly max: number
  readonly windowMs: Millis
}

export type SlotDecision =
  /** Nothing is due. */
  | { readonly kind: 'wait' }
  /** A stretch of slots starts nothing. */
  | {
      readonly kind: 'skip'
      readonly reason: Extract<SkipReason, 'missed' | 'outside_window' | 'too_many_missed'>
      readonly from: Instant
      readonly to: Instant
      readonly count: number
    }
  | { readonly kind: 'start'; readonly slot: Instant }

/** A slot that is looked at this late was not missed: the chores take their turns. */
const onTimeMs: Millis = minute
/** Slots that are looked at together; what a schedule makes up for fits in. */
const slotsPerLookMax = 1_000

/** The next decision, oldest slots first; asked again after each until it waits. */
export function decideSlots(
  calculator: Pick<CronCalculator, 'between' | 'fireAt'>,
  at: { readonly decidedUpTo: Instant; readonly now: Instant },
  catchUp: CatchUp,
): SlotDecision {
  const { decidedUpTo, now } = at
  const due = calculator
    .between(decidedUpTo, now, slotsPerLookMax)
    .filter((slot) => calculator.fireAt(slot) <= now)
  const [first] = due
  if (first === undefined) return { kind: 'wait' }
  const missed = due.filter((slot) => calculator.fireAt(slot) < now - onTimeMs)
  if (missed.length === 0) return { kind: 'start', slot: first }
  if (catchUp.mode === 'skip') return skip(missed, missed.length, 'missed')
  const outside = missed.filter((slot) => slot < now - catchUp.windowMs).length
  if (outside > 0) return skip(missed, outside, 'outside_window')
  // More than were looked at may follow, and they are newer.
  const areMore = due.length === slotsPerLookMax
  const isMadeUpFor = areMore || missed.length < due.length
  const kept = catchUp.mode === 'all' ? Math.max(0, catchUp.max) : isMadeUpFor ? 0 : 1
  const surplus = missed.length - kept
  return surplus > 0 ? skip(missed, surplus, 'too_many_missed') : { kind: 'start', slot: first }
}

function skip(
  missed: readonly Instant[],
  count: number,
  reason: Extract<SlotDecision, { kind: 'skip' }>['reason'],
): SlotDecision {
  const stretch = missed.slice(0, count)
  const [from = 0] = stretch
  return { kind: 'skip', reason, from, to: stretch.at(-1) ?? from, count: stretch.length }
}
