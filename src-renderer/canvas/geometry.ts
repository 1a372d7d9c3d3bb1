/** How large a card is and where its ports are: decided by the document, never measured. */

import type { PortSpec, TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { Point, WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { outputPort } from '../../src-engine/model/workflow.ts'
import { orderOf } from '../rules/found-once.ts'

/** Positions snap to it: fine enough to line things up, coarse enough to forgive the hand. */
export const gridStep = 8
export const cardWidth = 240
const headHeight = 64
const portRowHeight = 24
const portsPadding = 8
/** Room under a card for its run state. */
export const stateHeight = 30
export const noteSize = { width: 220, height: 120 }

export interface Size {
  readonly width: number
  readonly height: number
}

/** The ways out of a node, without the error port. An unknown kind keeps those that its edges use. */
export function portsOf(
  node: WorkflowNode,
  spec: TaskSpec | undefined,
  usedPorts: readonly string[] = [],
): readonly PortSpec[] {
  if (spec !== undefined) return spec.outputs(node.parameters ?? {})
  const ids = new Set([...usedPorts.filter((port) => port !== 'error')])
  if (ids.size === 0) ids.add(outputPort)
  return [...ids].map((id) => ({ id, title: id }))
}

/** Cards with one way out are all alike; each further way has a row of its own. */
export function cardSize(portCount: number): Size {
  if (portCount <= 1) return { width: cardWidth, height: headHeight }
  return { width: cardWidth, height: headHeight + portsPadding + portCount * portRowHeight }
}

/** How far below a card's upper edge its ways out begin. */
export function portTops(portCount: number): readonly number[] {
  if (portCount <= 1) return [headHeight / 2]
  const first = headHeight + portsPadding / 2 + portRowHeight / 2
  return Array.from({ length: portCount }, (_, index) => first + index * portRowHeight)
}

/** The nearest point of the grid. */
export function snapped(at: Point): Point {
  return { x: Math.round(at.x / gridStep) * gridStep, y: Math.round(at.y / gridStep) * gridStep }
}

/** Where a node stands; those without a place queue up in rows below the others. */
export function placeOf(document: WorkflowDocument, id: string): Point {
  const known = document.layout?.nodes?.[id]
  if (known !== undefined) return known
  const index = orderOf(document.nodes).get(id) ?? -1
  return { x: (index % 5) * (cardWidth + 64), y: 400 + Math.floor(index / 5) * 140 }
}

/** The nearest place at or below `at` where a card would not cover another. */
export function freePlace(document: WorkflowDocument, at: Point): Point {
  const places = Object.keys(document.nodes).map((id) => placeOf(document, id))
  let candidate = snapped(at)
  for (let tries = 0; tries < 200; tries += 1) {
    const hit = places.find(
      (place) =>
        Math.abs(place.x - candidate.x) < cardWidth + 16 && Math.abs(place.y - candidate.y) < headHeight + 32,
    )
    if (hit === undefined) return candidate
    candidate = { x: candidate.x, y: hit.y + headHeight + 48 }
  }
  return candidate
}
