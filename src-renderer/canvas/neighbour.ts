/** Which node the arrow keys lead to. Pure. */

import type { Point } from '../../src-engine/model/workflow.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Being off to the side counts this much more than being far. */
const sideWeight = 2.5

/** The nearest node in that direction; the leftmost one when none is chosen; null when there is none. */
export function neighbour(
  places: ReadonlyMap<string, Point>,
  from: string | null,
  direction: Direction,
): string | null {
  const origin = from === null ? undefined : places.get(from)
  if (origin === undefined) return leftmost(places)
  let best: string | null = null
  let bestCost = Number.POSITIVE_INFINITY
  for (const [id, at] of places) {
    if (id === from) continue
    const [ahead, aside] = split({ x: at.x - origin.x, y: at.y - origin.y }, direction)
    if (ahead <= 0) continue
    const cost = ahead + Math.abs(aside) * sideWeight
    if (cost < bestCost) [best, bestCost] = [id, cost]
  }
  return best
}

function leftmost(places: ReadonlyMap<string, Point>): string | null {
  let best: string | null = null
  for (const [id, at] of places) {
    const known = best === null ? undefined : places.get(best)
    if (known === undefined || at.x < known.x || (at.x === known.x && at.y < known.y)) best = id
  }
  return best
}

function split(by: Point, direction: Direction): readonly [number, number] {
  switch (direction) {
    case 'left':
      return [-by.x, by.y]
    case 'right':
      return [by.x, by.y]
    case 'up':
      return [-by.y, by.x]
    default:
      return [by.y, by.x]
  }
}
