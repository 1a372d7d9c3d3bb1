/** How large a map or loop is drawn: around its body, with room to drop more into it. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { childrenOf, depthOf, isContainer, mayEnter } from '../rules/bodies.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { Box } from './fit.ts'
import { cardSize, cardWidth, placeOf, portsOf, stateHeight } from './geometry.ts'

/** Around the body; on top the container's own head. */
export const bodyPadding = { side: 32, top: 88, bottom: 24 + stateHeight } as const
/** A body that is empty still has room for a card and its neighbour. */
export const emptyBody = { width: 2 * cardWidth + 32 + 2 * bodyPadding.side, height: 224 } as const

/** The box of any node: a card, or a container around what is inside it. */
export function boxOf(document: WorkflowDocument, id: NodeId, specs: SpecsByKind): Box {
  return boxWithin(document, id, { specs, around: new Set() })
}

function boxWithin(
  document: WorkflowDocument,
  id: NodeId,
  context: { readonly specs: SpecsByKind; readonly around: ReadonlySet<NodeId> },
): Box {
  const { specs, around } = context
  const node = document.nodes[id]
  const place = placeOf(document, id)
  const size = cardSize(node === undefined ? 1 : portsOf(node, specs.get(node.kind)).length)
  if (!isContainer(node)) return { ...place, ...size }
  const inner = { specs, around: new Set([...around, id]) }
  const boxes = childrenOf(document, id)
    // A document from elsewhere may have a circle.
    .filter((child) => !around.has(child) && child !== id)
    .map((child) => boxWithin(document, child, inner))
  const own = { ...place, ...(boxes.length === 0 ? emptyBody : { width: cardWidth, height: size.height }) }
  return boxes.reduce((whole, box) => union(whole, padded(box)), own)
}

const padded = ({ x, y, width, height }: Box): Box => ({
  x: x - bodyPadding.side,
  y: y - bodyPadding.top,
  width: width + 2 * bodyPadding.side,
  height: height + bodyPadding.top + bodyPadding.bottom,
})

function union(left: Box, right: Box): Box {
  const x = Math.min(left.x, right.x)
  const y = Math.min(left.y, right.y)
  return {
    x,
    y,
    width: Math.max(left.x + left.width, right.x + right.width) - x,
    height: Math.max(left.y + left.height, right.y + right.height) - y,
  }
}

/** The innermost container under a point that the moved node may enter; null for the canvas. */
export function containerAt(
  document: WorkflowDocument,
  at: Point,
  options: { readonly specs: SpecsByKind; readonly moved: NodeId | null },
): NodeId | null {
  const { specs, moved } = options
  // Keys of the nodes are their ids.
  const found = (Object.keys(document.nodes) as NodeId[]).filter(
    (id) =>
      isContainer(document.nodes[id]) &&
      (moved === null || mayEnter(document, moved, id)) &&
      holds(boxOf(document, id, specs), at),
  )
  return found.toSorted((a, b) => depthOf(document, b) - depthOf(document, a))[0] ?? null
}

const holds = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height

/** Whether two boxes have a part in common. */
export const overlaps = (left: Box, right: Box): boolean =>
  left.x < right.x + right.width &&
  right.x < left.x + left.width &&
  left.y < right.y + right.height &&
  right.y < left.y + left.height

/**
 * Where a node that was dropped there belongs: into the container under its middle; else it stays in its
 * own as long as it still touches it.
 */
export function parentAfterDrop(
  document: WorkflowDocument,
  moved: { readonly id: NodeId; readonly box: Box },
  specs: SpecsByKind,
): NodeId | null {
  const { id, box } = moved
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const under = containerAt(document, middle, { specs, moved: id })
  const parent = document.nodes[id]?.parent ?? null
  if (under !== null || parent === null || document.nodes[parent] === undefined) return under
  return overlaps(box, boxOf(document, parent, specs)) ? parent : null
}
