/** How large the frame of a group is drawn: around its nodes, with room for its title. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { boxOf } from './container-box.ts'
import type { Box } from './fit.ts'
import { stateHeight } from './geometry.ts'

/** Around the nodes; on top the title, below the state of each card. */
export const scopePadding = { side: 20, top: 48, bottom: 20 + stateHeight } as const

/** The frame around these nodes, wherever they are being dragged; null when none of them is there. */
export function scopeBox(
  document: WorkflowDocument,
  nodes: readonly NodeId[],
  known: { readonly specs: SpecsByKind; readonly dragged: ReadonlyMap<string, Point> },
): Box | null {
  const boxes = nodes
    .filter((id) => document.nodes[id] !== undefined)
    .map((id) => ({ ...boxOf(document, id, known.specs), ...known.dragged.get(id) }))
  if (boxes.length === 0) return null
  const left = Math.min(...boxes.map(({ x }) => x))
  const top = Math.min(...boxes.map(({ y }) => y))
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  return {
    x: left - scopePadding.side,
    y: top - scopePadding.top,
    width: right - left + 2 * scopePadding.side,
    height: bottom - top + scopePadding.top + scopePadding.bottom,
  }
}
