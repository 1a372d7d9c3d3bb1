/** The election of the slots: the seed's outcomes one by one, then what holds for any number of runners. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActiveRunner, AtomicServiceInputs } from '../../../../src-engine/core/atomic-service/decide.ts'
import {
  byAge,
  decideAtomicServiceClaim,
  effectiveMarginMs,
  nextSlotStart,
} from '../../../../src-engine/core/atomic-service/decide.ts'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'

const runners = (count: number): readonly ActiveRunner[] =>
  Array.from({ length: count }, (_, index) => ({
    id: runnerId(`r${String(index).padStart(2, '0')}`),
    createdAt: index,
  }))

const cycle = 20 * 5 * minute

const inputsOf = (given: Partial<AtomicServiceInputs>): AtomicServiceInputs => ({
  runnerId: runnerId('r00'),
  activeRunners: runners(1),
  now: cycle,
  intervalMs: 5 * minute,
  marginMs: minute,
  stabilizationMs: 0,
  maxStartSlotFraction: 0.5,
  ...given,
})

const decide = (given: Partial<AtomicServiceInputs>) => decideAtomicServiceClaim(inputsOf(given))

describe('one decision', () => {
  test('a single runner is always assigned at the start of a cycle, without a margin [P30]', () => {
    expect(decide({})).toMatchObject({
      reason: 'ASSIGNED',
      isOwnerNow: true,
      slotStart: cycle,
      slotEnd: cycle + 5 * minute,
      lateFraction: 0,
      run: { runnerId: 'r00', cycleStart: cycle, startedAt: cycle },
    })
  })

  test('without runners nobody is assigned [P30]', () => {
    expect(decide({ activeRunners: [] })).toMatchObject({
      reason: 'NO_STABLE_RUNNERS',
      run: null,
      cycleStart: null,
      runnerCount: 0,
    })
  })

  test('three runners have windows of 40 s, 100 s apart, and nothing outside of them [P31]', () => {
    const windows = runners(3).map(({ id }) => {
      const { slotStart, slotEnd } = decide({ runnerId: id, activeRunners: runners(3) })
      return [(slotStart ?? 0) - cycle, (slotEnd ?? 0) - cycle]
    })
    expect(windows).toEqual([
      [0, 40_000],
      [100_000, 140_000],
      [200_000, 240_000],
    ])
    const outside = decide({ activeRunners: runners(3), now: cycle + 41 * second })
    expect(outside).toMatchObject({ reason: 'NOT_ASSIGNED_SLOT', isOwnerNow: true, run: null })
  })

  test('whoever is not among the active runners is not assigned [P31]', () => {
    const claim = decide({ runnerId: runnerId('stranger'), activeRunners: runners(3) })
    expect(claim).toMatchObject({ reason: 'NOT_ASSIGNED_SLOT', position: null, assignedRunnerId: 'r00' })
  })

  test('a margin as long as the slot leaves nothing, for every runner alike', () => {
    for (const { id } of runners(5)) {
      expect(decide({ runnerId: id, activeRunners: runners(5) }).reason).toBe('SLOT_WINDOW_INVALID')
    }
  })

  test('a young runner keeps its slot but nobody uses it', () => {
    const activeRunners = [
      { id: runnerId('old'), createdAt: 0 },
      { id: runnerId('young'), createdAt: cycle },
    ]
    const now = cycle + 150 * second
    const given = { activeRunners, now, stabilizationMs: 10 * minute }
    for (const id of ['old', 'young'])
      expect(decide({ ...given, runnerId: runnerId(id) })).toMatchObject({
        reason: 'SCHEDULED_RUNNER_IN_GRACE',
        assignedRunnerId: 'young',
      })
    expect(decide({ ...given, runnerId: runnerId('old'), now: cycle }).reason).toBe('ASSIGNED')
  })

  test.for([
    { at: 45, fraction: 0.5, reason: 'LATE_START' },
    { at: 45, fraction: 1, reason: 'ASSIGNED' },
    { at: 30, fraction: 0.5, reason: 'ASSIGNED' },
    { at: 45, fraction: 0, reason: 'ASSIGNED' },
  ])('a start at $at s of 60 s with a limit of $fraction: $reason [P36]', ({ at, fraction, reason }) => {
    const given = { intervalMs: minute, marginMs: 0, now: cycle + at * second }
    const claim = decide({ ...given, maxStartSlotFraction: fraction })
    expect(claim).toMatchObject({ reason, lateFraction: at / 60 })
    expect(claim.run === null).toBe(reason !== 'ASSIGNED')
  })

  test('a late joiner sorts last and cannot take the slot that is on [P24] [P37]', () => {
    const before = runners(2)
    const late = { id: runnerId('a-joiner'), createdAt: cycle + 10 * second }
    const now = cycle + 10 * second
    const activeRunners = [...before, late].toSorted(byAge)
    expect(activeRunners.at(-1)).toBe(late)
    expect(decide({ activeRunners, now, runnerId: late.id }).reason).toBe('NOT_ASSIGNED_SLOT')
    expect(decide({ activeRunners, now }).reason).toBe('ASSIGNED')
  })
})

const counts = fc.integer({ min: 1, max: 50 })
/** Any instant of about three days, whole milliseconds as clocks tell them. */
const instants = fc.integer({ min: 0, max: 3 * 24 * 60 * minute })

const withEffectiveMargin = (count: number, now: number): Omit<AtomicServiceInputs, 'runnerId'> =>
  inputsOf({
    activeRunners: runners(count),
    now,
    marginMs: effectiveMarginMs(5 * minute, minute, count),
  })

describe('for 1 to 50 runners', () => {
  test('at most one is assigned at any instant, and it is the one whose slot is on [P31] [P34]', () => {
    fc.assert(
      fc.property(counts, instants, (count, now) => {
        const inputs = withEffectiveMargin(count, now)
        const claims = inputs.activeRunners.map(({ id }) =>
          decideAtomicServiceClaim({ ...inputs, runnerId: id }),
        )
        const assigned = claims.filter(({ reason }) => reason === 'ASSIGNED')
        expect(assigned.length).toBeLessThanOrEqual(1)
        for (const claim of assigned) expect(claim.isOwnerNow).toBe(true)
        expect(new Set(claims.map(({ assignedRunnerId }) => assignedRunnerId)).size).toBe(1)
      }),
    )
  })

  test('the windows are disjoint, inside of the cycle, and in order of age [P31]', () => {
    fc.assert(
      fc.property(counts, instants, (count, now) => {
        const inputs = withEffectiveMargin(count, now)
        let end = 0
        for (const { id } of inputs.activeRunners) {
          const { slotStart, slotEnd, cycleStart } = decideAtomicServiceClaim({ ...inputs, runnerId: id })
          if (slotStart === null || slotEnd === null || cycleStart === null)
            throw new Error('it has a window')
          expect(slotStart).toBeGreaterThanOrEqual(Math.max(end, cycleStart))
          expect(slotEnd).toBeGreaterThan(slotStart)
          end = slotEnd
          expect(end).toBeLessThanOrEqual(cycleStart + 5 * minute + 0.001)
        }
      }),
    )
  })

  test('every runner has a next start within a cycle, and is assigned then', () => {
    fc.assert(
      fc.property(counts, instants, fc.integer({ min: 0, max: 49 }), (count, now, chosen) => {
        const inputs = withEffectiveMargin(count, now)
        const own = inputs.activeRunners[chosen % count]
        if (own === undefined) throw new Error('there is one')
        const start = nextSlotStart({ ...inputs, runnerId: own.id })
        if (start === null) throw new Error('it has a window')
        expect(start).toBeGreaterThanOrEqual(now)
        expect(start - now).toBeLessThanOrEqual(5 * minute)
        // Timers fire at whole milliseconds, never early.
        const then = { ...inputs, runnerId: own.id, now: Math.ceil(start) }
        expect(decideAtomicServiceClaim(then).reason).toBe('ASSIGNED')
      }),
    )
  })

  test('the seed’s own margin makes five runners and more impossible, ours never [G6]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 50 }), instants, (count, now) => {
        const effective = withEffectiveMargin(count, now)
        const bare = { ...effective, marginMs: minute, runnerId: runnerId('r00') }
        expect(decideAtomicServiceClaim(bare).reason).toBe('SLOT_WINDOW_INVALID')
        const ours = decideAtomicServiceClaim({ ...effective, runnerId: runnerId('r00') })
        expect(ours.reason).not.toBe('SLOT_WINDOW_INVALID')
      }),
    )
  })

  test('the order is creation, then id, however the runners are given [P24]', () => {
    const runner = fc.record({ id: fc.stringMatching(/^[a-z]{1,4}$/).map(runnerId), createdAt: fc.nat(5) })
    fc.assert(
      fc.property(fc.uniqueArray(runner, { selector: ({ id }) => id, minLength: 1 }), (some) => {
        const sorted = some.toSorted(byAge)
        expect(some.toReversed().toSorted(byAge)).toEqual(sorted)
        for (const [index, later] of sorted.slice(1).entries()) {
          const earlier = sorted[index]
          if (earlier === undefined) throw new Error('there is one before')
          const isOrdered =
            earlier.createdAt < later.createdAt ||
            (earlier.createdAt === later.createdAt && earlier.id < later.id)
          expect(isOrdered).toBe(true)
        }
      }),
    )
  })
})
