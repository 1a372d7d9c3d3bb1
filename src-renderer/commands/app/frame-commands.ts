/** Frames by keyboard: around what is selected, open or as one card, away again. */

import { boxOf } from '../../canvas/container-box.ts'
import { frameAround, frameBox } from '../../canvas/frame-box.ts'
import { noteSize } from '../../canvas/geometry.ts'
import { frameOfNode } from '../../rules/frames.ts'
import type { Designer } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { frames as words } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import { addFrame, collapseFrames, removeFrames } from '../frames.ts'
import { freeFrameId } from '../new-ids.ts'
import { commandsOf } from './app-command.ts'

const selectionOf = (designer: Designer) => designer.view.getState().selection
const documentOf = (designer: Designer) => designer.document.getState().history.document

export const frameCommands = commandsOf('Edit', [
  {
    id: 'edit.frame',
    title: 'Frame what is selected',
    scope: 'canvas',
    isEnabled: (designer) => {
      const { nodes, notes, frames } = selectionOf(designer)
      return canEdit(designer) && nodes.length + notes.length + frames.length > 0
    },
    run: frameSelection,
  },
  {
    id: 'edit.unframe',
    title: 'Take the frame away',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && meantFrames(designer).length > 0,
    run: (designer) => {
      designer.document.getState().edit(removeFrames(meantFrames(designer)))
      designer.view.getState().select({ nodes: selectionOf(designer).nodes })
    },
  },
  {
    id: 'edit.collapseFrame',
    title: 'Collapse or open the frame',
    scope: 'canvas',
    isEnabled: (designer) => canEdit(designer) && meantFrames(designer).length > 0,
    run: collapse,
  },
])

/** The selected frames; else those that the selected nodes are in. */
function meantFrames(designer: Designer): readonly string[] {
  const { frames, nodes } = selectionOf(designer)
  if (frames.length > 0) return frames
  const around = nodes.map((id) => frameOfNode(documentOf(designer), id)).filter((id) => id !== null)
  return [...new Set(around)]
}

function frameSelection(designer: Designer): void {
  const document = documentOf(designer)
  const { nodes: chosen, notes, frames } = selectionOf(designer)
  // What is in a selected body, or in a selected frame, comes along with it.
  const nodes = chosen.filter((id) => {
    const parent = document.nodes[id]?.parent
    const frame = frameOfNode(document, id)
    return (
      document.nodes[id] !== undefined &&
      (parent === undefined || document.nodes[parent] === undefined) &&
      (frame === null || !frames.includes(frame))
    )
  })
  const boxes = [
    ...nodes.map((id) => boxOf(document, id, designer.specs)),
    ...notes.map((id) => ({ ...noteSize, x: 0, y: 0, ...document.layout?.notes?.[id] })),
    ...frames.map((id) => frameBox(document, id, designer.specs)),
  ]
  if (boxes.length === 0) return
  const id = freeFrameId(new Set(Object.keys(document.frames ?? {})))
  const members = { nodes, notes, frames }
  designer.document.getState().edit(addFrame(id, { title: words.untitled, members, box: frameAround(boxes) }))
  designer.view.getState().select({ frames: [id] })
  designer.view.getState().setPanels({ isInspectorOpen: true })
  designer.view.getState().announce(fill(words.added, { count: String(boxes.length) }))
}

/** Several at once: they are opened only when all of them are closed. */
function collapse(designer: Designer): void {
  const ids = meantFrames(designer)
  const { layout } = documentOf(designer)
  const isCollapsed = ids.every((id) => layout?.frames?.[id]?.collapsed === true)
  designer.document.getState().edit(collapseFrames(ids, !isCollapsed))
  designer.view.getState().select({ frames: ids })
}
