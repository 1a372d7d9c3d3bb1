/** The other mouse button, and the menu key: a menu of what was pressed, or of what is selected. */

import type { MouseEvent } from 'react'
import { edgeId, nodeId } from '../../../src-engine/model/ids.ts'
import type { Point } from '../../../src-engine/model/workflow.ts'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import type { CanvasMenu, Selection } from '../../state/view-store.ts'
import { isWriting } from '../../ui/is-writing.ts'
import { frameIdOf, isNodeId, noteIdOf, scopeIdOf } from '../flow-ids.ts'

/** What an element of the canvas is, as a selection of it alone. */
type Pressed = Partial<Selection>

/** The handler for the canvas. */
export function useCanvasMenu() {
  const designer = useDesigner()
  return {
    onContextMenu: (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || isWriting(event.target)) return
      event.preventDefault()
      // The menu key has no place of its own: it means what is selected, or the card that it was pressed on.
      const isByKey = event.button !== 2
      const pressed = pressedBy(event.target)
      if (pressed !== null) choose(designer, pressed)
      else if (!isByKey) designer.view.getState().select({})
      const screen = isByKey ? besideOf(event.target, designer) : { x: event.clientX, y: event.clientY }
      designer.view.getState().setCanvasMenu({ screen, about: aboutOf(designer.view.getState().selection) })
    },
  }
}

function pressedBy(target: Element): Pressed | null {
  const edge = target.closest<SVGElement>('.react-flow__edge')?.dataset['id']
  if (edge !== undefined) return { edges: [edgeId(edge)] }
  const id = target.closest<HTMLElement>('.react-flow__node')?.dataset['id']
  if (id === undefined) return null
  const note = noteIdOf(id)
  if (note !== null) return { notes: [note] }
  const scope = scopeIdOf(id)
  if (scope !== null) return { scopes: [scope] }
  const frame = frameIdOf(id)
  if (frame !== null) return { frames: [frame] }
  return isNodeId(id) ? { nodes: [nodeId(id)] } : null
}

/** What is pressed becomes the selection, unless it is a part of it. */
function choose(designer: Designer, pressed: Pressed): void {
  const { selection, select } = designer.view.getState()
  const parts = ['nodes', 'edges', 'notes', 'scopes', 'frames'] as const
  const isPart = parts.every((part) => {
    const known: readonly string[] = selection[part]
    return (pressed[part] ?? []).every((id: string) => known.includes(id))
  })
  if (!isPart) select(pressed)
}

function aboutOf({ nodes, edges, notes, scopes, frames }: Selection): CanvasMenu['about'] {
  if (nodes.length > 1) return 'nodes'
  if (nodes.length === 1) return 'node'
  if (frames.length > 0) return 'frame'
  if (scopes.length > 0) return 'scope'
  if (notes.length > 0) return 'note'
  return edges.length > 0 ? 'edge' : 'canvas'
}

/** Beside the selected card, where there is one. */
function besideOf(target: Element, designer: Designer): Point {
  const [node] = designer.view.getState().selection.nodes
  const card =
    node === undefined
      ? target
      : (document.querySelector(`.react-flow__node[data-id="${CSS.escape(node)}"]`) ?? target)
  const { x, y, height } = card.getBoundingClientRect()
  return { x: x + 16, y: y + Math.min(height, 64) - 8 }
}
