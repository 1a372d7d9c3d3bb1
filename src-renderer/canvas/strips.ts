/** Boxes by where they stand, so that what is near a place is found without a look at all of them. Pure. */

import type { Axis } from './align.ts'
import type { Box } from './fit.ts'

/** Boxes that are asked about with every move of a hand. */
export interface Strips {
  /** Those that reach into the span along the axis, its ends included, in the order in which they were given. */
  readonly along: (axis: Axis, from: number, to: number) => readonly Box[]
}

/** A card is in two or three of them each way. */
const stripWidth = 128

/** Sorts boxes into strips along both axes. */
export function stripsOf(boxes: readonly Box[]): Strips {
  const strips = { x: sorted(boxes, 'x'), y: sorted(boxes, 'y') }
  return {
    along: (axis, from, to) => {
      const found: number[] = []
      const first = Math.floor(from / stripWidth)
      const last = Math.floor(to / stripWidth)
      const own = strips[axis]
      for (let strip = first; strip <= last; strip += 1) {
        for (const at of own.get(strip) ?? []) {
          const box = boxes[at]
          if (box === undefined) continue
          const [start, end] = spanOf(box, axis)
          // In several of the strips it is taken in the first that is looked at.
          const isFirst = strip === Math.max(first, Math.floor(start / stripWidth))
          if (isFirst && end >= from && start <= to) found.push(at)
        }
      }
      return found.toSorted((left, right) => left - right).flatMap((at) => boxes[at] ?? [])
    },
  }
}

const spanOf = (box: Box, axis: Axis): readonly [start: number, end: number] => [
  box[axis],
  box[axis] + (axis === 'x' ? box.width : box.height),
]

function sorted(boxes: readonly Box[], axis: Axis): ReadonlyMap<number, readonly number[]> {
  const strips = new Map<number, number[]>()
  for (const [at, box] of boxes.entries()) {
    const [start, end] = spanOf(box, axis)
    for (let strip = Math.floor(start / stripWidth); strip <= Math.floor(end / stripWidth); strip += 1) {
      const known = strips.get(strip)
      if (known === undefined) strips.set(strip, [at])
      else known.push(at)
    }
  }
  return strips
}
