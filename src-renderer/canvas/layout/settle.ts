/**
 * From what the layout engine gave to places on the canvas. What a person put somewhere stays there, exactly; what
 * belongs to it (the nearest along edges) goes along with it, and gives way below where it would cover something. Pure.
 */

import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { Point } from '../../../src-engine/model/workflow.ts'
import { overlaps } from '../container-box.ts'
import type { Box } from '../fit.ts'
import { gridStep, stateHeight } from '../geometry.ts'
import type { LayoutItem, LayoutTree } from './layout-tree.ts'

/** Between what gives way and what it would have covered. */
const gap = 32

/** By id of the canvas, the new box of everything that the layout placed. */
export type Places = ReadonlyMap<string, Box>

interface Laid {
  readonly item: LayoutItem
  /** Without the room for the state below. */
  readonly box: Box
  /** Whether it, or something inside of it, was put there by hand. */
  readonly isFixed: boolean
  /** How far it is from where the engine would have it. */
  readonly by: Point
  readonly kids: readonly Laid[]
}

const origin: Point = { x: 0, y: 0 }

/** New boxes for all items but those that are held. */
export function settle(tree: LayoutTree, graph: ElkNode): Places {
  const { laid } = level(tree.items, { graph, at: origin, edges: siblingEdges(tree), corner: null })
  const places = new Map<string, Box>()
  const shifted = laid.some(({ isFixed }) => isFixed) ? laid : anchored(tree.items, laid)
  for (const one of shifted) collect(one, places)
  return places
}

interface Engine {
  readonly graph: ElkNode
  /** Where the engine has the box around this level. */
  readonly at: Point
  readonly edges: SiblingEdges
  /** The corner that nothing may come above or left of; null on the canvas. */
  readonly corner: Point | null
}

/** One level: with something fixed in it, the rest is brought to that. */
function level(items: readonly LayoutItem[], engine: Engine): { readonly laid: readonly Laid[] } {
  const nodes = new Map((engine.graph.children ?? []).map((node) => [node.id, node]))
  const laid = items.map((item) => laidOf(item, nodes.get(item.id), engine))
  const isAnchored = laid.some(({ isFixed }) => isFixed)
  return { laid: isAnchored ? around(laid, engine) : laid }
}

function laidOf(item: LayoutItem, node: ElkNode | undefined, engine: Engine): Laid {
  const at = { x: engine.at.x + (node?.x ?? 0), y: engine.at.y + (node?.y ?? 0) }
  const { isHeld, inside, padding, box } = item
  if (inside === null || node === undefined) {
    const { width, height } = box
    return isHeld
      ? { item, box, isFixed: true, by: minus(box, at), kids: [] }
      : { item, box: { ...at, width, height }, isFixed: false, by: origin, kids: [] }
  }
  const border = item.least ?? box
  const corner = isHeld ? { x: border.x + padding.side, y: border.y + padding.top } : null
  const { laid } = level(inside, { ...engine, graph: node, at, corner })
  const isAnchored = laid.some(({ isFixed }) => isFixed)
  const drawn = aroundOf(laid, item)
  if (isAnchored) {
    const own = isHeld ? union(drawn, border) : drawn
    return { item, box: own, isFixed: true, by: minus(own, at), kids: laid }
  }
  const here = { item, box: drawn, isFixed: false, by: origin, kids: laid }
  if (!isHeld) return here
  const held = shift(here, minus(border, drawn))
  return { ...held, box: union(held.box, border), isFixed: true, by: minus(border, at) }
}

/** Brings what is free to what is fixed, in the order in which the engine has it. */
function around(laid: readonly Laid[], { edges, corner }: Engine): readonly Laid[] {
  const bys = displacements(laid, edges)
  const done = laid.filter(({ isFixed }) => isFixed)
  const free = laid
    .filter(({ isFixed }) => !isFixed)
    .map((one) => shift(one, bys.get(one.item.id) ?? origin))
    .map((one) => (corner === null ? one : shift(one, inside(one.box, corner))))
    .toSorted((left, right) => left.box.x - right.box.x || left.box.y - right.box.y)
  for (const one of free) done.push(shift(one, { x: 0, y: roomBelow(one.box, done) - one.box.y }))
  const byId = new Map(done.map((one) => [one.item.id, one]))
  return laid.map((one) => byId.get(one.item.id) ?? one)
}

/** How far each goes along: as far as the fixed one that is nearest along edges; without a way as the first. */
function displacements(laid: readonly Laid[], edges: SiblingEdges): ReadonlyMap<string, Point> {
  const fixed = laid.filter(({ isFixed }) => isFixed)
  const found = new Map(fixed.map(({ item, by }) => [item.id, by]))
  // A map gives what is added while it is walked.
  for (const [id, by] of found)
    for (const next of edges.get(id) ?? []) if (!found.has(next)) found.set(next, by)
  const usual = fixed[0]?.by ?? origin
  return new Map(laid.map(({ item }) => [item.id, found.get(item.id) ?? usual]))
}

/** The nearest place at or below a box where it covers nothing. */
function roomBelow(box: Box, done: readonly Laid[]): number {
  const wide = { x: box.x - gap, width: box.width + 2 * gap, height: box.height + stateHeight + gap }
  const near = done.filter((one) => one.box.x < wide.x + wide.width && wide.x < one.box.x + one.box.width)
  let { y } = box
  for (let isFree = false; !isFree; ) {
    const at = y
    const hit = near.find((one) =>
      overlaps({ ...wide, y: at }, { ...one.box, height: one.box.height + stateHeight + gap }),
    )
    if (hit === undefined) isFree = true
    else y = hit.box.y + hit.box.height + stateHeight + gap
  }
  return y
}

/** As far as it takes a box to be right of and below a corner. */
const inside = (box: Box, corner: Point): Point => ({
  x: Math.max(0, corner.x - box.x),
  y: Math.max(0, corner.y - box.y),
})

function shift(laid: Laid, by: Point): Laid {
  if (by.x === 0 && by.y === 0) return laid
  const box = { ...laid.box, x: laid.box.x + by.x, y: laid.box.y + by.y }
  return { ...laid, box, kids: laid.kids.map((kid) => shift(kid, by)) }
}

/** The top left corner of all is where it was. */
function anchored(items: readonly LayoutItem[], laid: readonly Laid[]): readonly Laid[] {
  if (laid.length === 0) return laid
  const from = corner(laid.map(({ box }) => box))
  const by = minus(corner(items.map(({ box }) => box)), from)
  return laid.map((one) => shift(one, by))
}

/** On the grid; the box of what goes around others is around where these came to stand. */
function collect(laid: Laid, places: Map<string, Box>): Box {
  const { item, kids } = laid
  if (item.inside !== null) {
    const boxes = kids.map((kid) => collect(kid, places))
    const box = padded(boxes, item)
    if (!item.isHeld) places.set(item.id, box)
    return item.isHeld ? union(box, item.least ?? item.box) : box
  }
  if (item.isHeld) return item.box
  const box = { ...laid.box, x: onGrid(laid.box.x), y: onGrid(laid.box.y) }
  places.set(item.id, box)
  return box
}

const onGrid = (value: number): number => Math.round(value / gridStep) * gridStep

const aroundOf = (laid: readonly Laid[], item: LayoutItem): Box =>
  padded(
    laid.map(({ box }) => box),
    item,
  )

function padded(boxes: readonly Box[], { padding: { side, top, bottom } }: LayoutItem): Box {
  const { x, y, width, height } = boxes.reduce(union)
  return { x: x - side, y: y - top, width: width + 2 * side, height: height + top + bottom }
}

function union(left: Box, right: Box): Box {
  const { x, y } = corner([left, right])
  return {
    x,
    y,
    width: Math.max(left.x + left.width, right.x + right.width) - x,
    height: Math.max(left.y + left.height, right.y + right.height) - y,
  }
}

const corner = (boxes: readonly Point[]): Point => ({
  x: Math.min(...boxes.map(({ x }) => x)),
  y: Math.min(...boxes.map(({ y }) => y)),
})

const minus = (left: Point, right: Point): Point => ({ x: left.x - right.x, y: left.y - right.y })

type SiblingEdges = ReadonlyMap<string, readonly string[]>

/** Which items of one level lead to each other, whatever is inside of them; in both directions. */
function siblingEdges({ items, edges }: LayoutTree): SiblingEdges {
  const around = new Map<string, readonly string[]>()
  const walk = (list: readonly LayoutItem[], above: readonly string[]): void => {
    for (const { id, inside: inner } of list) {
      around.set(id, [...above, id])
      if (inner !== null) walk(inner, [...above, id])
    }
  }
  walk(items, [])
  const found = new Map<string, string[]>()
  const add = (from: string, to: string): void => {
    const known = found.get(from)
    if (known === undefined) found.set(from, [to])
    else known.push(to)
  }
  for (const { from, to } of edges) {
    const ends = siblings(around.get(from.item) ?? [], around.get(to.item) ?? [])
    if (ends === null) continue
    add(ends[0], ends[1])
    add(ends[1], ends[0])
  }
  return found
}

/** The first two that differ on the ways from the canvas down to both ends. */
function siblings(from: readonly string[], to: readonly string[]): readonly [string, string] | null {
  const at = from.findIndex((id, index) => to[index] !== id)
  const [left, right] = [from[at], to[at]]
  return left === undefined || right === undefined ? null : [left, right]
}
