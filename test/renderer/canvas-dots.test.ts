/** The dots of the canvas: painted as React Flow has them, and moved to where they would have been painted. */

import { describe, expect, it } from 'vitest'
import { dotsAt, dotsRoom, slideTo } from '../../src-renderer/canvas/dots.ts'
import type { Transform } from '../../src-renderer/canvas/motion.ts'

/** Where the first dot's middle is on the screen, by what is painted and how it is moved; within one gap. */
function firstDot(painted: Transform, slide: { readonly x: number; readonly scale: number }, gap: number) {
  const dots = dotsAt(painted)
  return mod((dots.x + dots.radius) * slide.scale + slide.x, gap)
}

const mod = (value: number, by: number): number => ((value % by) + by) % by

/** Round the circle of one gap, 0 and the gap are the same place. */
const apart = (one: number, other: number, gap: number): number =>
  Math.min(mod(one - other, gap), mod(other - one, gap))

const views: readonly Transform[] = [
  [0, 0, 1],
  [13.5, -700, 1],
  [-4_321.25, 12, 1],
  [-40, 81, 1.3],
  [977, -977, 0.71],
  [-3, -3, 1.49],
]

describe('the dots of the canvas', () => {
  it('are painted where React Flow has its own', () => {
    // A pattern of React Flow: at the remainder of the view by the gap, moved back by half of it.
    expect(dotsAt([50, -10, 1])).toEqual({ gap: 24, radius: 1, x: 2 - 12, y: -10 - 12 })
    expect(dotsAt([0, 0, 0.5])).toEqual({ gap: 12, radius: 0.5, x: -6, y: -6 })
  })

  it('stand after a move where they would be painted, in both directions', () => {
    for (const painted of views)
      for (const seen of views) {
        const slide = slideTo(painted, seen)
        if (slide === null) continue
        const { gap, x, y, radius } = dotsAt(seen)
        const across = firstDot(painted, slide, gap)
        const down = firstDot([painted[1], painted[0], painted[2]], { ...slide, x: slide.y }, gap)
        expect(apart(across, x + radius, gap)).toBeLessThan(0.001)
        expect(apart(down, y + radius, gap)).toBeLessThan(0.001)
      }
  })

  it('cover the canvas however they are moved', () => {
    const width = 1_000
    for (const painted of views)
      for (const seen of views) {
        const slide = slideTo(painted, seen)
        if (slide === null) continue
        const size = width * dotsRoom.share + dotsRoom.gaps * dotsAt(painted).gap
        expect(slide.x).toBeLessThanOrEqual(0)
        expect(slide.x + size * slide.scale).toBeGreaterThanOrEqual(width - 0.001)
      }
  })

  it('are painted anew when they would be stretched too far', () => {
    expect(slideTo([0, 0, 1], [0, 0, 1.5])).not.toBeNull()
    expect(slideTo([0, 0, 1], [0, 0, 1.51])).toBeNull()
    expect(slideTo([0, 0, 1], [0, 0, 0.66])).toBeNull()
  })
})
