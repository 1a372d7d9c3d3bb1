/** Where instants lie on the timeline, what is folded, and which part is shown. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { positionAt, timeScale } from '../../src-renderer/panels/timeline/time-scale.ts'
import { moved, wholeWindow, withEnd, within, zoomed } from '../../src-renderer/panels/timeline/window.ts'

const hour = 3_600_000

describe('the scale', () => {
  test('folds long stretches in which nothing happens, and nothing else', () => {
    const span = { from: 0, to: 10 * hour }
    const idle = [
      { from: 1_000, to: 1_500 },
      { from: 2_000, to: 9 * hour },
    ]
    const scale = timeScale(span, idle, true)
    expect(scale.folds).toMatchObject([{ from: 2_000, to: 9 * hour }])
    expect(scale.folds[0]?.width).toBeLessThan(0.03)
    // The hour after it has nearly all of the room.
    expect(scale.shareOf(9.5 * hour)).toBeCloseTo(0.515, 1)
    expect(timeScale(span, idle, false).folds).toEqual([])
    expect(timeScale(span, idle, false).shareOf(5 * hour)).toBe(0.5)
  })

  test('is the same in both directions, in order, from 0 to 1', () => {
    const spans = fc
      .uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 2, maxLength: 12 })
      .map((instants) => instants.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(
        spans,
        fc.boolean(),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (instants, isFolding, shares) => {
          const span = { from: instants[0] ?? 0, to: instants.at(-1) ?? 0 }
          const idle = instants
            .slice(1)
            .flatMap((to, index) => (index % 2 === 0 ? [] : [{ from: instants[index] ?? 0, to }]))
          const { shareOf, instantAt } = timeScale(span, idle, isFolding)
          expect(shareOf(span.from)).toBe(0)
          expect(shareOf(span.to)).toBeCloseTo(1)
          const inOrder = shares.toSorted((a, b) => a - b).map(instantAt)
          for (const [index, instant] of inOrder.entries()) {
            expect(instant).toBeGreaterThanOrEqual(inOrder[index - 1] ?? span.from)
            expect(instantAt(shareOf(instant))).toBeCloseTo(instant, 3)
          }
        },
      ),
    )
  })

  test('finds how many events had come by an instant', () => {
    const log = [1, 3, 3, 9].map((at) => ({ at }))
    expect([0, 1, 2, 3, 8, 9, 99].map((instant) => positionAt(log, instant))).toEqual([0, 1, 1, 3, 3, 4, 4])
  })

  test('of a run of one instant is a point', () => {
    const { shareOf, instantAt } = timeScale({ from: 5, to: 5 }, [], true)
    expect([shareOf(5), instantAt(0.5)]).toEqual([1, 5])
  })
})

describe('the part that is shown', () => {
  test('is narrowed around the playhead, which stays where it is', () => {
    const half = zoomed(wholeWindow, 0.8, 0.5)
    expect(half).toEqual({ from: 0.4, to: 0.9 })
    expect(within(half, 0.8)).toBeCloseTo(0.8)
    expect(zoomed(half, 0.8, 4)).toBe(wholeWindow)
    expect(zoomed({ from: 0, to: 0.1 }, 0.9, 1)).toEqual({ from: 0.85, to: expect.closeTo(0.95) })
  })

  test('stays within what there is, and its ends apart', () => {
    expect(moved({ from: -0.2, to: 0.3 })).toEqual({ from: 0, to: 0.5 })
    expect(moved({ from: 0.8, to: 1.3 })).toEqual({ from: 0.5, to: 1 })
    expect(withEnd({ from: 0.2, to: 0.4 }, 'from', 0.9).from).toBeLessThan(0.4)
    expect(withEnd({ from: 0.2, to: 0.4 }, 'to', 0).to).toBeGreaterThan(0.2)
    expect(withEnd({ from: 0, to: 0.4 }, 'to', 2)).toBe(wholeWindow)
  })
})
