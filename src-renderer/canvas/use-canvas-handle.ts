/** What commands may ask of the canvas, made from React Flow's instance. */

import type { ReactFlowInstance } from '@xyflow/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CanvasHandle, CanvasSlot } from '../state/canvas-handle.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { canFit, cornerView, fitPadding, fitZoom } from './fit.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'

const moveMs = 260

type Flow = ReactFlowInstance<FlowNode, FlowEdge>

/** The frame's ref, and what React Flow has to tell about the view. */
export function useCanvasHandle() {
  const designer = useDesigner()
  const frame = useRef<HTMLElement>(null)
  const [fitting] = useState(() => createFitting(designer))
  const onInit = useCallback(
    (flow: Flow) => {
      fillSlot(
        designer.canvas,
        createHandle(flow, fitting, () => frame.current),
      )
      fitting.begin(flow, frame.current)
    },
    [designer, fitting],
  )
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => fitting.again())
    observer.observe(element)
    return () => {
      observer.disconnect()
      fillSlot(designer.canvas, null)
    }
  }, [designer, fitting])
  const onMoveStart = useCallback(
    (event: MouseEvent | TouchEvent | null) => {
      // Moves without an event are the app's own.
      if (event !== null) fitting.release()
    },
    [fitting],
  )
  return { frame, onInit, onMoveStart, onNodeDragStart: fitting.release }
}

/** Fits the workflow, and keeps it fitted while panels open and close, until the person moves the view. */
function createFitting(designer: Designer) {
  let flow: Flow | null = null
  let isFitted = false
  const fit = (duration: number): void => {
    isFitted = true
    const padding = fitPadding(designer.view.getState().panels.map === 'shown')
    void flow?.fitView({ padding, minZoom: fitZoom.min, maxZoom: fitZoom.max, duration })
  }
  return {
    fit: () => fit(moveMs),
    /** The first look: everything, unless that would be too small; then its upper left corner. */
    begin: (instance: Flow, frame: HTMLElement | null): void => {
      flow = instance
      const sight = frame?.getBoundingClientRect()
      const bounds = instance.getNodesBounds(instance.getNodes())
      if (sight === undefined || bounds.width === 0) return
      if (canFit(bounds, sight)) fit(0)
      else void instance.setViewport(cornerView(bounds, sight))
    },
    again: (): void => {
      if (isFitted) fit(0)
    },
    release: (): void => {
      isFitted = false
    },
  }
}

type Fitting = ReturnType<typeof createFitting>

function fillSlot(slot: CanvasSlot, handle: CanvasHandle | null): void {
  slot.current = handle
}

function createHandle(flow: Flow, fitting: Fitting, frame: () => HTMLElement | null): CanvasHandle {
  const middleOfFrame = () => {
    const box = frame()?.getBoundingClientRect() ?? new DOMRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const focus = (): void => frame()?.focus({ preventScroll: true })
  return {
    fit: fitting.fit,
    fitNodes: (ids) => {
      fitting.release()
      const nodes = ids.map((id) => ({ id }))
      void flow.fitView({ padding: 0.2, maxZoom: fitZoom.max, duration: moveMs, nodes })
    },
    zoomBy: (factor) => {
      fitting.release()
      void flow.zoomTo(flow.getZoom() * factor, { duration: moveMs })
    },
    zoomTo: (zoom) => {
      fitting.release()
      void flow.zoomTo(zoom, { duration: moveMs })
    },
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

/** Moves the view so that a node outside of it comes to its middle. */
function reveal(flow: Flow, frame: HTMLElement | null, id: string): void {
  const node = flow.getNode(id)
  if (node === undefined || frame === null) return
  const box = frame.getBoundingClientRect()
  const corner = flow.flowToScreenPosition(node.position)
  const right = corner.x + (node.width ?? 0) * flow.getZoom()
  const inside = corner.x > box.left && corner.y > box.top && right < box.right && corner.y < box.bottom - 40
  if (inside) return
  const middle = { x: node.position.x + (node.width ?? 0) / 2, y: node.position.y + (node.height ?? 0) / 2 }
  void flow.setCenter(middle.x, middle.y, { zoom: flow.getZoom(), duration: moveMs })
}
