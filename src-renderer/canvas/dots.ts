/** Where the dots of the canvas are, as a pattern that is painted and as a painted pattern that is moved. Pure. */

import { gridStep } from './geometry.ts'
import type { Transform } from './motion.ts'

/** Dots stand on every third line of the grid, this far across at life size. */
const gapOf = (zoom: number): number => gridStep * 3 * zoom
const radiusOf = (zoom: number): number => zoom

/** What a painted pattern is stretched by at most before it is painted anew: dots stay round, and it needs little room to spare. */
const stretchMax = 1.5
const stretchMin = 1 / stretchMax

/** The pattern for a view: of this size, its first tile there. */
export interface Dots {
  readonly gap: number
  readonly radius: number
  readonly x: number
  readonly y: number
}

/** What is painted for a view. Its tiles begin half a gap before the middle between dots, as React Flow has them. */
export function dotsAt([x, y, zoom]: Transform): Dots {
  const gap = gapOf(zoom)
  return { gap, radius: radiusOf(zoom), x: (x % gap) - gap / 2, y: (y % gap) - gap / 2 }
}

/** How the painted pattern is moved and stretched so that its dots stand where those of another view would. */
export interface Slide {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** From the view that it was painted for to the one that is seen; null where it has to be painted anew. */
export function slideTo(painted: Transform, seen: Transform): Slide | null {
  const scale = seen[2] / painted[2]
  if (scale > stretchMax || scale < stretchMin) return null
  const gap = gapOf(seen[2])
  // Always towards the upper left, by less than a gap: there is room to spare at the other two sides only.
  const by = (from: number, to: number): number => {
    const rest = (to - from * scale) % gap
    return rest > 0 ? rest - gap : rest
  }
  return { x: by(painted[0], seen[0]), y: by(painted[1], seen[1]), scale }
}

/** How much larger than the canvas the painted pattern is on each side, so that stretched and moved it still covers it. */
export const dotsRoom = { share: stretchMax, gaps: 1 } as const
