/** While something is dragged: what it lines up with, and where its gaps would be the same. Pure. */

import type { Point } from '../../src-engine/model/workflow.ts'
import type { Axis } from './align.ts'
import type { Box } from './fit.ts'
import type { Strips } from './strips.ts'

/** A line on the canvas: along y at x = `at` for the axis `x`, and the other way round. */
export interface Guide {
  readonly kind: 'line' | 'gap'
  readonly axis: Axis
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface Snap {
  /** What to add to the dragged place so that it fits. */
  readonly by: Point
  readonly guides: readonly Guide[]
}

export const noSnap: Snap = { by: { x: 0, y: 0 }, guides: [] }

/** Half a pixel: nearer than anybody can see. */
const same = 0.5

const sizeOf = (box: Box, axis: Axis): number => (axis === 'x' ? box.width : box.height)
const endOf = (box: Box, axis: Axis): number => box[axis] + sizeOf(box, axis)
const otherAxis = { x: 'y', y: 'x' } as const
/** Where a box can line up: its two edges and its middle. */
const marksOf = (box: Box, axis: Axis): readonly number[] => [
  box[axis],
  box[axis] + sizeOf(box, axis) / 2,
  endOf(box, axis),
]

function hasMark(box: Box, axis: Axis, at: number): boolean {
  const [off, size] = [at - box[axis], sizeOf(box, axis)]
  return Math.abs(off) < same || Math.abs(off - size / 2) < same || Math.abs(off - size) < same
}

/** What a dragged box snaps to among the others; `reach` is how near it has to come. */
export function snapOf(moved: Box, others: Strips, reach: number): Snap {
  const by = {
    x: shiftOf(moved, others, { axis: 'x', reach }),
    y: shiftOf(moved, others, { axis: 'y', reach }),
  }
  const settled = { ...moved, x: moved.x + by.x, y: moved.y + by.y }
  const guides = (['x', 'y'] as const).flatMap((axis) => [
    ...linesOf(settled, others, axis),
    ...gapsOf(settled, others, axis),
  ])
  return { by, guides }
}

function shiftOf(
  moved: Box,
  others: Strips,
  { axis, reach }: { readonly axis: Axis; readonly reach: number },
): number {
  let best: number | null = null
  const offer = (shift: number): void => {
    if (Math.abs(shift) <= reach && (best === null || Math.abs(shift) < Math.abs(best))) best = shift
  }
  const size = sizeOf(moved, axis)
  const start = moved[axis]
  for (const other of others.along(axis, start - reach, start + size + reach)) {
    const width = sizeOf(other, axis)
    const from = other[axis] - start
    for (let mark = 0; mark <= 2; mark += 1) {
      const at = from + (width * mark) / 2
      offer(at)
      offer(at - size / 2)
      offer(at - size)
    }
  }
  for (const place of evenPlaces(moved, others, axis)) offer(place - moved[axis])
  return best ?? 0
}

/** Lines through everything that shares an edge or a middle with the box. */
function linesOf(moved: Box, others: Strips, axis: Axis): readonly Guide[] {
  const across = otherAxis[axis]
  return marksOf(moved, axis).flatMap((at) => {
    const fitting = others.along(axis, at - same, at + same).filter((other) => hasMark(other, axis, at))
    if (fitting.length === 0) return []
    const all = [moved, ...fitting]
    const from = Math.min(...all.map((box) => box[across]))
    const to = Math.max(...all.map((box) => endOf(box, across)))
    return [{ kind: 'line' as const, axis, at, from, to }]
  })
}

/** The neighbours of a box in its own row or column: before and after it, nearest first. */
function neighboursOf(moved: Box, others: Strips, axis: Axis) {
  const across = otherAxis[axis]
  const [from, to] = [moved[across], endOf(moved, across)]
  const row = others
    .along(across, from, to)
    .filter((other) => other[across] < to && from < endOf(other, across))
  const middle = moved[axis] + sizeOf(moved, axis) / 2
  const before = row
    .filter((box) => endOf(box, axis) <= middle)
    .toSorted((left, right) => endOf(right, axis) - endOf(left, axis))
  const after = row.filter((box) => box[axis] >= middle).toSorted((left, right) => left[axis] - right[axis])
  return { before, after }
}

/** The places at which the gaps to its neighbours would be the same, or as between those. */
function evenPlaces(moved: Box, others: Strips, axis: Axis): readonly number[] {
  const { before, after } = neighboursOf(moved, others, axis)
  const size = sizeOf(moved, axis)
  const [last, secondLast] = before
  const [next, secondNext] = after
  const places: number[] = []
  if (last !== undefined && next !== undefined) places.push((endOf(last, axis) + next[axis] - size) / 2)
  if (last !== undefined && secondLast !== undefined) {
    const gap = last[axis] - endOf(secondLast, axis)
    if (gap > 0) places.push(endOf(last, axis) + gap)
  }
  if (next !== undefined && secondNext !== undefined) {
    const gap = secondNext[axis] - endOf(next, axis)
    if (gap > 0) places.push(next[axis] - gap - size)
  }
  return places
}

/** The gaps beside the box that are the same as the next ones. */
function gapsOf(moved: Box, others: Strips, axis: Axis): readonly Guide[] {
  const across = otherAxis[axis]
  const { before, after } = neighboursOf(moved, others, axis)
  const row = [before[1], before[0], moved, after[0], after[1]].filter((box) => box !== undefined)
  const own = row.indexOf(moved)
  const gaps = row.slice(1).map((box, index) => {
    const left = row[index] ?? box
    return { from: endOf(left, axis), to: box[axis], touches: index === own || index + 1 === own }
  })
  const width = (gap: { readonly from: number; readonly to: number }): number => gap.to - gap.from
  const beside = gaps.filter((gap) => gap.touches && width(gap) > 0)
  const shown = gaps.filter(
    (gap) =>
      width(gap) > 0 &&
      beside.some(
        (one) =>
          gaps.some((two) => two !== one && Math.abs(width(one) - width(two)) < same) &&
          Math.abs(width(one) - width(gap)) < same,
      ),
  )
  const at = moved[across] + sizeOf(moved, across) / 2
  return shown.map(({ from, to }) => ({ kind: 'gap' as const, axis, at, from, to }))
}
