/** What becomes of slots that nobody has decided yet: those in time, and those that passed while nobody was there. */

import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../../src-engine/model/time.ts'
import { hour, minute } from '../../../../src-engine/model/time.ts'
import type { CatchUp } from '../../../../src-engine/runtime/triggers/cron-slots-due.ts'
import { decideSlots } from '../../../../src-engine/runtime/triggers/cron-slots-due.ts'

/** A slot every ten minutes; each fires so much later. */
const everyMs = 10 * minute
const calculator = (laterMs = 0) => ({
  between: (after: Instant, upTo: Instant, max: number): readonly Instant[] => {
    const slots: Instant[] = []
    const first = (Math.floor(after / everyMs) + 1) * everyMs
    for (let slot = first; slot <= upTo && slots.length < max; slot += everyMs) slots.push(slot)
    return slots
  },
  fireAt: (slot: Instant): Instant => slot + laterMs,
})

const catchUp = (mode: CatchUp['mode'], more: Partial<CatchUp> = {}): CatchUp => ({
  ...{ mode, max: 100, windowMs: 24 * hour },
  ...more,
})

const decide = (decidedUpTo: Instant, now: Instant, by: CatchUp) =>
  decideSlots(calculator(), { decidedUpTo, now }, by)

describe('slots of a schedule', () => {
  test('start their run when they are due, and not before', () => {
    expect(decide(0, everyMs - 1, catchUp('skip'))).toEqual({ kind: 'wait' })
    expect(decide(0, everyMs, catchUp('skip'))).toEqual({ kind: 'start', slot: everyMs })
    // The chores take their turns.
    expect(decide(0, everyMs + minute, catchUp('skip'))).toEqual({ kind: 'start', slot: everyMs })
    const scattered = decideSlots(calculator(1_000), { decidedUpTo: 0, now: everyMs + 999 }, catchUp('skip'))
    expect(scattered).toEqual({ kind: 'wait' })
  })

  test('that were missed start nothing where it says so, and those in time do', () => {
    const now = 3 * everyMs
    const missed = { kind: 'skip', reason: 'missed', from: everyMs, to: 2 * everyMs, count: 2 }
    expect(decide(0, now, catchUp('skip'))).toEqual(missed)
    expect(decide(2 * everyMs, now, catchUp('skip'))).toEqual({ kind: 'start', slot: 3 * everyMs })
  })

  test('are made up for by the newest alone, or by one that is in time', () => {
    const late = 3 * everyMs + 2 * minute
    const surplus = { kind: 'skip', reason: 'too_many_missed', from: everyMs, to: 2 * everyMs, count: 2 }
    expect(decide(0, late, catchUp('once'))).toEqual(surplus)
    expect(decide(2 * everyMs, late, catchUp('once'))).toEqual({ kind: 'start', slot: 3 * everyMs })
    expect(decide(0, 3 * everyMs, catchUp('once'))).toEqual(surplus)
  })

  test('are made up for by as many as it says, the newest of them, oldest first', () => {
    const late = 4 * everyMs + 2 * minute
    const surplus = { kind: 'skip', reason: 'too_many_missed', from: everyMs, to: 2 * everyMs, count: 2 }
    expect(decide(0, late, catchUp('all', { max: 2 }))).toEqual(surplus)
    expect(decide(2 * everyMs, late, catchUp('all', { max: 2 }))).toEqual({
      kind: 'start',
      slot: 3 * everyMs,
    })
    expect(decide(0, late, catchUp('all', { max: -1 }))).toMatchObject({
      reason: 'too_many_missed',
      count: 4,
    })
  })

  test('from before its window start nothing', () => {
    const late = 4 * everyMs + 2 * minute
    const by = catchUp('all', { windowMs: 25 * minute })
    expect(decide(0, late, by)).toEqual({
      kind: 'skip',
      reason: 'outside_window',
      from: everyMs,
      to: everyMs,
      count: 1,
    })
    expect(decide(everyMs, late, by)).toEqual({ kind: 'start', slot: 2 * everyMs })
  })

  test('of which there are more than one look sees: the newest are not among them', () => {
    const by = catchUp('once', { windowMs: Number.MAX_SAFE_INTEGER })
    expect(decide(0, 5_000 * everyMs, by)).toMatchObject({ kind: 'skip', count: 1_000 })
  })
})
