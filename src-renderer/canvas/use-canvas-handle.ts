/** What commands may ask of the canvas, made from React Flow's instance. */

import type { ReactFlowInstance } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import type { CanvasHandle, CanvasSlot } from '../state/canvas-handle.ts'
import { useDesigner } from '../state/context.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'

const moveMs = 260
/** Room around what is fitted, and no card larger than life. */
const fitOptions = { padding: 0.08, maxZoom: 1.1, duration: moveMs }

/** Below this the words on cards can't be read. */
const readableZoom = 0.72

/** The frame's ref, and the handler that takes the instance. */
export function useCanvasHandle() {
  const designer = useDesigner()
  const frame = useRef<HTMLElement>(null)
  const onInit = useCallback(
    (flow: ReactFlowInstance<FlowNode, FlowEdge>) => {
      fillSlot(
        designer.canvas,
        createHandle(flow, () => frame.current),
      )
      beginView(flow, frame.current)
    },
    [designer],
  )
  useEffect(() => () => fillSlot(designer.canvas, null), [designer])
  return { frame, onInit }
}

function fillSlot(slot: CanvasSlot, handle: CanvasHandle | null): void {
  slot.current = handle
}

function createHandle(
  flow: ReactFlowInstance<FlowNode, FlowEdge>,
  frame: () => HTMLElement | null,
): CanvasHandle {
  const middleOfFrame = () => {
    const box = frame()?.getBoundingClientRect() ?? new DOMRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const focus = (): void => frame()?.focus({ preventScroll: true })
  return {
    fit: () => void flow.fitView(fitOptions),
    fitNodes: (ids) => void flow.fitView({ ...fitOptions, nodes: ids.map((id) => ({ id })) }),
    zoomBy: (factor) => void flow.zoomTo(flow.getZoom() * factor, { duration: moveMs }),
    zoomTo: (zoom) => void flow.zoomTo(zoom, { duration: moveMs }),
    middle: () => flow.screenToFlowPosition(middleOfFrame(), { snapToGrid: false }),
    toCanvas: (screen) => flow.screenToFlowPosition(screen, { snapToGrid: false }),
    toScreen: (canvas) => flow.flowToScreenPosition(canvas),
    focus,
    reveal: (id) => reveal(flow, frame(), id),
    focusNode: (id) => {
      reveal(flow, frame(), id)
      // The card may have come into view just now.
      requestAnimationFrame(() => {
        const card = frame()?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
        if (card === null || card === undefined) focus()
        else card.focus({ preventScroll: true })
      })
    },
  }
}

/** The first look: everything, unless that would be too small to read; then from the left. */
function beginView(flow: ReactFlowInstance<FlowNode, FlowEdge>, frame: HTMLElement | null): void {
  const box = frame?.getBoundingClientRect()
  const bounds = flow.getNodesBounds(flow.getNodes())
  if (box === undefined || bounds.width === 0) return
  const share = 1 - 2 * fitOptions.padding
  const fitting = Math.min((box.width * share) / bounds.width, (box.height * share) / bounds.height)
  if (fitting >= readableZoom) return void flow.fitView({ ...fitOptions, duration: 0 })
  const fromTop = bounds.height * readableZoom > box.height * share
  void flow.setViewport({
    x: 48 - bounds.x * readableZoom,
    y: fromTop
      ? 48 - bounds.y * readableZoom
      : box.height / 2 - (bounds.y + bounds.height / 2) * readableZoom,
    zoom: readableZoom,
  })
}

/** Moves the view so that a node outside of it comes to its middle. */
function reveal(flow: ReactFlowInstance<FlowNode, FlowEdge>, frame: HTMLElement | null, id: string): void {
  const node = flow.getNode(id)
  if (node === undefined || frame === null) return
  const box = frame.getBoundingClientRect()
  const corner = flow.flowToScreenPosition(node.position)
  const inside =
    corner.x > box.left && corner.y > box.top && corner.x < box.right - 120 && corner.y < box.bottom - 40
  if (inside) return
  const middle = { x: node.position.x + (node.width ?? 0) / 2, y: node.position.y + (node.height ?? 0) / 2 }
  void flow.setCenter(middle.x, middle.y, { zoom: flow.getZoom(), duration: moveMs })
}
