/** Adding, connecting, zooming, tidying. */

import type { EdgeId, NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { beginConnectMode } from '../../canvas/connect-mode.ts'
import { cardWidth, noteSize, placeOf, snapped } from '../../canvas/geometry.ts'
import { layOut } from '../../canvas/layout/lay-out.ts'
import { addKind, freePortOf, placeAfter } from '../../canvas/placement.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { canEdit, isReadOnly } from '../../state/selectors.ts'
import { layout as words } from '../../text/canvas-words.ts'
import { move } from '../move.ts'
import { freeNoteId } from '../new-ids.ts'
import { addNote } from '../notes.ts'
import { commandsOf } from './app-command.ts'

/** A canvas is shown: of the open document, or of a run's own version. */
const isOpen = (designer: Designer): boolean => designer.document.getState().isOpen || isReadOnly(designer)

export const canvasCommands = commandsOf('Canvas', [
  {
    id: 'canvas.quickAdd',
    title: 'Add node …',
    scope: 'canvas',
    isEnabled: canEdit,
    run: quickAdd,
  },
  {
    id: 'canvas.connect',
    title: 'Connect from node',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && designer.view.getState().selection.nodes.length === 1,
    run: beginConnectMode,
  },
  {
    id: 'canvas.insertOnEdge',
    title: 'Insert a node …',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && designer.view.getState().selection.edges.length === 1,
    run: insertOnEdge,
  },
  {
    id: 'canvas.guardEdge',
    title: 'Take the edge only when …',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && designer.view.getState().selection.edges.length === 1,
    run: guardEdge,
  },
  { id: 'canvas.addNote', title: 'Add note', scope: 'canvas', isEnabled: canEdit, run: putNote },
  {
    id: 'edit.tidy',
    title: 'Tidy layout',
    scope: 'canvas',
    isEnabled: canEdit,
    run: (designer) => void tidy(designer, false),
  },
  {
    id: 'edit.tidyAll',
    title: 'Tidy layout, with what was placed by hand',
    scope: 'canvas',
    isEnabled: canEdit,
    run: (designer) => void tidy(designer, true),
  },
  {
    id: 'view.zoomToFit',
    title: 'Fit everything',
    isEnabled: isOpen,
    run: (designer) => designer.canvas.current?.fit(),
  },
  {
    id: 'view.zoomToSelection',
    title: 'Fit selection',
    isEnabled: (designer) => isOpen(designer) && designer.view.getState().selection.nodes.length > 0,
    run: (designer) => designer.canvas.current?.fitNodes(designer.view.getState().selection.nodes),
  },
  {
    id: 'view.zoomIn',
    title: 'Zoom in',
    isEnabled: isOpen,
    run: (designer) => designer.canvas.current?.zoomBy(1.25),
  },
  {
    id: 'view.zoomOut',
    title: 'Zoom out',
    isEnabled: isOpen,
    run: (designer) => designer.canvas.current?.zoomBy(0.8),
  },
  {
    id: 'view.zoomTo100',
    title: 'Zoom to 100 %',
    scope: 'canvas',
    isEnabled: isOpen,
    run: (designer) => designer.canvas.current?.zoomTo(1),
  },
])

function quickAdd(designer: Designer): void {
  const { canvas, view, document } = designer
  if (canvas.current === null) return
  const [anchor] = view.getState().selection.nodes
  const { history } = document.getState()
  if (anchor === undefined || history.document.nodes[anchor] === undefined) {
    const at = canvas.current.middle()
    view.getState().setQuickAdd({ at, screen: canvas.current.toScreen(at), attach: { kind: 'none' } })
    return
  }
  const place = placeAfter(history.document, anchor)
  const at = { x: place.x, y: place.y + 32 }
  const port = freePortOf(designer, history.document, anchor)
  const attach =
    port === null
      ? ({ kind: 'none' } as const)
      : ({ kind: 'after', from: { node: nodeId(anchor), port } } as const)
  view.getState().setQuickAdd({ at, screen: canvas.current.toScreen(at), attach })
}

/** The middle of an edge, about. */
function middleOf(designer: Designer, edge: EdgeId) {
  const { document } = designer.document.getState().history
  const ends = document.edges[edge]
  if (ends === undefined) return null
  const [from, to] = [placeOf(document, ends.from.node), placeOf(document, ends.to.node)]
  return { x: (from.x + cardWidth + to.x) / 2, y: (from.y + to.y) / 2 + 32 }
}

/** Opens the search where the selected edge is. */
function insertOnEdge(designer: Designer): void {
  const { canvas, view } = designer
  const [edge] = view.getState().selection.edges
  const at = edge === undefined ? null : middleOf(designer, edge)
  if (canvas.current === null || edge === undefined || at === null) return
  view.getState().setQuickAdd({ at, screen: canvas.current.toScreen(at), attach: { kind: 'splice', edge } })
}

/** Puts a condition into the selected edge; what it says is then read on the line. */
function guardEdge(designer: Designer): void {
  const [edge] = designer.view.getState().selection.edges
  const spec = designer.specs.get('if')
  const at = edge === undefined ? null : middleOf(designer, edge)
  if (edge === undefined || spec === undefined || at === null) return
  addKind(designer, spec, {
    at: { x: at.x - cardWidth / 2, y: at.y - 32 },
    attach: { kind: 'splice', edge },
  })
  designer.view.getState().setPanels({ isInspectorOpen: true, inspectorTab: 'parameters' })
}

function putNote(designer: Designer): void {
  const middle = designer.canvas.current?.middle()
  if (middle === undefined) return
  const { history, edit } = designer.document.getState()
  const id = freeNoteId(new Set(Object.keys(history.document.notes ?? {})))
  const at = snapped({ x: middle.x - noteSize.width / 2, y: middle.y - noteSize.height / 2 })
  edit(addNote({ id, text: '', at }))
  designer.view.getState().select({ notes: [id] })
  designer.view.getState().setWritingNote(id)
}

/** Some selected cards at once; the whole workflow in a worker, around what was placed by hand. */
async function tidy(designer: Designer, all: boolean): Promise<void> {
  const chosen = designer.view.getState().selection.nodes
  if (chosen.length > 1 && !all) return tidySelection(designer, chosen)
  // The layout engine is loaded when it is first asked for.
  const engine = await attempt(designer, () => import('../../canvas/layout/elk-engine.ts'))
  if (engine !== null) await layOut(designer, { all, open: engine.openElk })
}

async function tidySelection(designer: Designer, only: readonly NodeId[]): Promise<void> {
  const { history, edit } = designer.document.getState()
  const tidying = await attempt(designer, () => import('../../canvas/auto-layout.ts'))
  if (tidying === null) return
  const places = tidying.tidyPlaces(history.document, { specs: designer.specs, only })
  // Who has them laid out gives them to the layout.
  const nodes = Object.fromEntries(Object.entries(places).map(([id, at]) => [id, { ...at, byHand: false }]))
  edit(move({ nodes, notes: {} }, { label: words.label }))
  // Cards have to be where they belong before they can be fitted.
  designer.ambient.onFrame(() => designer.canvas.current?.fit())
}
