/** The line from the cards at the edge to a node. Pure. */

import type { Point } from '../../../src-engine/model/workflow.ts'

/** Shorter ones can't be drawn as a curve. */
const shortest = 12

/** The path of the line; null when the node lies under the cards, or left of them. */
export function wirePath(from: Point, to: Point): string | null {
  const ahead = to.x - from.x
  if (ahead < shortest) return null
  const bend = Math.max(16, Math.min(120, ahead / 2))
  const [ax, ay, bx, by] = [from.x, from.y, to.x, to.y].map(Math.round)
  return `M${ax},${ay}C${Math.round(from.x + bend)},${ay} ${Math.round(to.x - bend)},${by} ${bx},${by}`
}

/** How far from the cards their wires come together. */
export const jointGap = 14

/** From the right edge of each card to one line, and so to its middle. */
export function bracketPath(right: number, middles: readonly number[], middle: number): string {
  const [x, end] = [Math.round(right), Math.round(right + jointGap)]
  const ys = middles.map(Math.round)
  const [top, bottom] = [Math.min(...ys, Math.round(middle)), Math.max(...ys, Math.round(middle))]
  return [...ys.map((y) => `M${x},${y}H${end}`), `M${end},${top}V${bottom}`].join('')
}
