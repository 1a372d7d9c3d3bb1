/** Lining boxes up, and spacing them equally. Pure. */

import type { Point } from '../../src-engine/model/workflow.ts'
import type { Box } from './fit.ts'

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Axis = 'x' | 'y'
export type Boxes = ReadonlyMap<string, Box>
type Places = Readonly<Record<string, Point>>

/** Where the boxes come to stand when they share an edge or a middle of what is around them all. */
export function aligned(boxes: Boxes, how: Alignment): Places {
  const all = [...boxes.values()]
  const left = Math.min(...all.map(({ x }) => x))
  const right = Math.max(...all.map(({ x, width }) => x + width))
  const top = Math.min(...all.map(({ y }) => y))
  const bottom = Math.max(...all.map(({ y, height }) => y + height))
  const placeOf: Readonly<Record<Alignment, (box: Box) => Point>> = {
    left: ({ y }) => ({ x: left, y }),
    centre: ({ y, width }) => ({ x: (left + right - width) / 2, y }),
    right: ({ y, width }) => ({ x: right - width, y }),
    top: ({ x }) => ({ x, y: top }),
    middle: ({ x, height }) => ({ x, y: (top + bottom - height) / 2 }),
    bottom: ({ x, height }) => ({ x, y: bottom - height }),
  }
  return Object.fromEntries([...boxes].map(([id, box]) => [id, placeOf[how](box)]))
}

/** Where the boxes come to stand when the gaps between neighbours are the same; the outer ones stay. */
export function distributed(boxes: Boxes, axis: Axis): Places {
  const size = axis === 'x' ? 'width' : 'height'
  const sorted = [...boxes].toSorted(
    ([, left], [, right]) => left[axis] + left[size] / 2 - (right[axis] + right[size] / 2),
  )
  const [first, last] = [sorted[0]?.[1], sorted.at(-1)?.[1]]
  if (first === undefined || last === undefined || sorted.length < 3) return {}
  const room = last[axis] + last[size] - first[axis]
  const taken = sorted.reduce((sum, [, box]) => sum + box[size], 0)
  const gap = (room - taken) / (sorted.length - 1)
  const places: Record<string, Point> = {}
  let at = first[axis]
  for (const [id, box] of sorted) {
    places[id] = axis === 'x' ? { x: at, y: box.y } : { x: box.x, y: at }
    at += box[size] + gap
  }
  return places
}
