/** A lane of any length is drawn with as many elements as there is room for. */

import { expect, it } from 'vitest'
import type { Instant } from '../../src-engine/model/time.ts'
import { drawnStretches } from '../../src-renderer/panels/timeline/drawn-stretches.ts'
import { timeScale } from '../../src-renderer/panels/timeline/time-scale.ts'
import { wholeWindow } from '../../src-renderer/panels/timeline/window.ts'
import type { Stretch } from '../../src-renderer/state/timeline-rows.ts'

const stretch = (from: Instant, to: Instant | null, attempt = 1): Stretch => ({
  ...{ status: 'RUNNING', phase: 'run' },
  ...{ from, to, attempt },
})
/** One after the other, each so long. */
const many = (count: number, ms: number): readonly Stretch[] =>
  Array.from({ length: count }, (_, index) => stretch(index * ms, (index + 1) * ms, index + 1))
const viewOf = (to: Instant, shown = wholeWindow) => ({ scale: timeScale({ from: 0, to }, [], true), shown })

it('of 100,000 stretches about a thousand are drawn, and together they cover the same', () => {
  const end = 1_000_000
  const drawn = drawnStretches(many(100_000, 10), viewOf(end), end)
  expect(drawn.length).toBeLessThan(1_200)
  expect(drawn.length).toBeGreaterThan(500)
  expect(drawn[0]?.from).toBe(0)
  expect(drawn.at(-1)?.to).toBe(1)
  for (const [index, { from }] of drawn.entries())
    if (index > 0) expect(from - (drawn[index - 1]?.to ?? 0)).toBeLessThan(0.001)
})

it('on a spot that several share in a crowd the last one is seen', () => {
  const end = 1_000_000
  const crowd = Array.from({ length: 500 }, (_, index) => stretch(index, index + 1))
  const drawn = drawnStretches([...crowd, stretch(500, end)], viewOf(end), end)
  expect(drawn.map(({ stretch: { from } }) => from)).toEqual([499, 500])
  expect(drawn[0]?.from).toBe(0)
})

it('where there are few each is drawn, however short', () => {
  const end = 1_000_000
  const all = [stretch(0, 4), stretch(4, 9), stretch(9, 9), stretch(9, end)]
  expect(drawnStretches(all, viewOf(end), end).map(({ stretch: one }) => one)).toEqual(all)
})

it('each is drawn once there is room for it', () => {
  const end = 1_000_000
  const all = many(100_000, 10)
  const view = viewOf(end, { from: 0.5, to: 0.501 })
  const drawn = drawnStretches(all, view, end)
  expect(drawn.map(({ stretch: { from } }) => from)).toEqual(
    all.filter(({ from, to }) => (to ?? end) >= 500_000 && from <= 501_000).map(({ from }) => from),
  )
})

it('what lasts still ends where the run has come to, and what is out of sight is not drawn', () => {
  const lasting = [stretch(0, 100), stretch(100, null)]
  expect(drawnStretches(lasting, viewOf(1_000), 1_000).map(({ to }) => to)).toEqual([0.1, 1])
  expect(drawnStretches(lasting, viewOf(1_000, { from: 0.5, to: 1 }), 1_000)).toHaveLength(1)
  expect(drawnStretches([stretch(0, 100)], viewOf(1_000, { from: 0.5, to: 1 }), 1_000)).toEqual([])
  expect(drawnStretches([], viewOf(1_000), 1_000)).toEqual([])
})
