/** Dragging a kind from the palette onto the canvas, or onto an edge. */

import type { DragEvent } from 'react'
import { edgeId } from '../../src-engine/model/ids.ts'
import { useDesigner } from '../state/context.ts'
import { containerAt } from './container-box.ts'
import { edgeUnder, markSplice } from './edge-under.ts'
import { cardSize, cardWidth } from './geometry.ts'
import { addKind } from './placement.ts'
import { addTriggerOf, triggerMediaType } from './triggers/add-trigger.ts'

/** What a dragged palette item carries: its kind. */
export const kindMediaType = 'application/x-sagasmith-kind'

/** Handlers for the canvas as a drop target. */
export function useCanvasDrop() {
  const designer = useDesigner()
  return {
    onDragOver: (event: DragEvent) => {
      const { types } = event.dataTransfer
      if (types.includes(triggerMediaType)) event.preventDefault()
      if (!types.includes(kindMediaType)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      markSplice(edgeUnder({ x: event.clientX, y: event.clientY }))
    },
    onDragLeave: () => markSplice(null),
    onDrop: (event: DragEvent) => {
      // Wherever it was let go: what starts a workflow stands at the canvas' edge.
      if (addTriggerOf(designer, event.dataTransfer.getData(triggerMediaType)) !== null)
        return event.preventDefault()
      const spec = designer.specs.get(event.dataTransfer.getData(kindMediaType))
      const screen = { x: event.clientX, y: event.clientY }
      const edge = edgeUnder(screen)
      markSplice(null)
      if (spec === undefined || designer.canvas.current === null) return
      event.preventDefault()
      const at = designer.canvas.current.toCanvas(screen)
      const { document } = designer.document.getState().history
      const corner = { x: at.x - cardWidth / 2, y: at.y - cardSize(1).height / 2 }
      const splices = edge !== null && spec.hasInput
      addKind(designer, spec, {
        at: corner,
        attach: splices ? { kind: 'splice', edge: edgeId(edge) } : { kind: 'none' },
        parent: containerAt(document, at, { specs: designer.specs, moved: null }),
      })
      designer.canvas.current.focus()
    },
  }
}
