/** What lies within an outline that was drawn by hand. Pure. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { Selection } from '../state/view-store.ts'
import { boxOf } from './container-box.ts'
import type { Box } from './fit.ts'
import { noteSize } from './geometry.ts'

/** Whether a point is within a closed outline (even-odd rule). */
function isWithin(outline: readonly Point[], { x, y }: Point): boolean {
  let inside = false
  outline.forEach((one, index) => {
    const two = outline[(index + 1) % outline.length] ?? one
    if (one.y > y === two.y > y) return
    const cross = one.x + ((y - one.y) / (two.y - one.y)) * (two.x - one.x)
    if (x < cross) inside = !inside
  })
  return inside
}

const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })

/** The nodes, notes and edges whose middle the outline goes around. */
export function lassoed(
  document: WorkflowDocument,
  outline: readonly Point[],
  specs: SpecsByKind,
): Pick<Selection, 'nodes' | 'edges' | 'notes'> {
  const boxes = new Map<NodeId, Box>(
    Object.keys(document.nodes).map((id) => [nodeId(id), boxOf(document, nodeId(id), specs)]),
  )
  const isInside = (at: Point): boolean => isWithin(outline, at)
  const nodes = [...boxes].flatMap(([id, box]) => (isInside(middleOf(box)) ? [id] : []))
  const chosen = new Set(nodes)
  const edges: EdgeId[] = []
  for (const [id, { from, to }] of Object.entries(document.edges)) {
    const [source, target] = [boxes.get(from.node), boxes.get(to.node)]
    if (source === undefined || target === undefined) continue
    const middle = {
      x: (source.x + source.width + target.x) / 2,
      y: (middleOf(source).y + middleOf(target).y) / 2,
    }
    if ((chosen.has(from.node) && chosen.has(to.node)) || isInside(middle)) edges.push(edgeId(id))
  }
  const notes = Object.keys(document.notes ?? {}).filter((id) => {
    const {
      x,
      y,
      width = noteSize.width,
      height = noteSize.height,
    } = document.layout?.notes?.[id] ?? { x: 0, y: 0 }
    return isInside(middleOf({ x, y, width, height }))
  })
  return { nodes, edges, notes }
}
