/** Lining the selected nodes up, and spacing them equally. */

import { nodeId } from '../../../src-engine/model/ids.ts'
import type { Place, Point } from '../../../src-engine/model/workflow.ts'
import type { Alignment, Axis, Boxes } from '../../canvas/align.ts'
import { aligned, distributed } from '../../canvas/align.ts'
import { boxOf } from '../../canvas/container-box.ts'
import { innerPlaces } from '../../canvas/drag-bodies.ts'
import type { Designer } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { move } from '../move.ts'
import { commandsOf } from './app-command.ts'

const titles: Readonly<Record<Alignment, string>> = {
  left: 'Align left edges',
  centre: 'Align centres, one above the other',
  right: 'Align right edges',
  top: 'Align top edges',
  middle: 'Align middles, side by side',
  bottom: 'Align bottom edges',
}
const ids: Readonly<Record<Alignment, string>> = {
  left: 'edit.alignLeft',
  centre: 'edit.alignCentre',
  right: 'edit.alignRight',
  top: 'edit.alignTop',
  middle: 'edit.alignMiddle',
  bottom: 'edit.alignBottom',
}

const ways: readonly Alignment[] = ['left', 'centre', 'right', 'top', 'middle', 'bottom']

export const arrangeCommands = commandsOf('Arrange', [
  ...ways.map((how) => ({
    id: ids[how],
    title: titles[how],
    scope: 'canvas' as const,
    isEnabled: (designer: Designer) => canEdit(designer) && movable(designer).size > 1,
    run: (designer: Designer) => put(designer, aligned(movable(designer), how), titles[how]),
  })),
  distribution('edit.distributeAcross', 'x', 'Same gaps, side by side'),
  distribution('edit.distributeDown', 'y', 'Same gaps, one above the other'),
])

function distribution(id: string, axis: Axis, title: string) {
  return {
    id,
    title,
    scope: 'canvas' as const,
    isEnabled: (designer: Designer) => canEdit(designer) && movable(designer).size > 2,
    run: (designer: Designer) => put(designer, distributed(movable(designer), axis), title),
  }
}

/** The boxes of the selected nodes; what is inside of a selected container goes along with it. */
function movable(designer: Designer): Boxes {
  const { document } = designer.document.getState().history
  const chosen = new Set(designer.view.getState().selection.nodes)
  const isInside = (id: string): boolean => {
    const parent = document.nodes[nodeId(id)]?.parent
    return parent !== undefined && (chosen.has(parent) || isInside(parent))
  }
  return new Map(
    [...chosen]
      .filter((id) => document.nodes[id] !== undefined && !isInside(id))
      .map((id) => [id, boxOf(document, id, designer.specs)]),
  )
}

function put(designer: Designer, places: Readonly<Record<string, Point>>, label: string): void {
  const { history, edit } = designer.document.getState()
  const nodes: Record<string, Place> = {}
  for (const [id, to] of Object.entries(places)) {
    Object.assign(nodes, innerPlaces(history.document, { id, to }, designer.specs))
    nodes[id] = { ...to, byHand: true }
  }
  edit(move({ nodes, notes: {} }, { label }))
}
