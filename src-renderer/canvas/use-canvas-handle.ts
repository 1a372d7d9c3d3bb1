/** What commands may ask of the canvas, made from React Flow's instance. */

import type { ReactFlowInstance, Viewport } from '@xyflow/react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CanvasHandle, CanvasSlot } from '../state/canvas-handle.ts'
import { useDesigner, useDocument } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import type { Sight } from '../state/view-store.ts'
import { isWriting } from '../ui/is-writing.ts'
import { zoomMax, zoomMin } from './far/far-level.ts'
import { fitZoom, shiftTo } from './fit.ts'
import type { Fitting } from './fitting.ts'
import { createFitting, moveMs } from './fitting.ts'
import { isNodeId } from './flow-ids.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'
import { useEdgeCount } from './triggers/edge-count.ts'
import { isAtEdge } from './triggers/edge-focus.ts'
import { createZoomAim } from './zoom-aim.ts'

type Flow = ReactFlowInstance<FlowNode, FlowEdge>

/** The frame's ref, what is seen first (`onFirst` is told once), and what React Flow has to tell about the view. */
export function useCanvasHandle(nodes: readonly FlowNode[], onFirst: (view: Viewport) => void) {
  const designer = useDesigner()
  const frame = useRef<HTMLElement>(null)
  const [fitting] = useState(() => createFitting(designer))
  const isMoving = useRef(false)
  const [first, setFirst] = useState<Viewport | null>(null)
  const count = useEdgeCount()
  useLayoutEffect(() => {
    fitting.leaveRoom(count)
    const element = frame.current
    // Before anything is drawn: cards that the first look doesn't show would be made to be thrown away.
    if (element === null || first !== null) return
    const view = fitting.first(element, nodes)
    onFirst(view)
    setFirst(view)
  }, [fitting, count, nodes, first, onFirst])
  const open = useDocument((state) => state.history.document.id)
  const shown = useShownDocument((document) => document.id)
  useEffect(() => fitting.turned(shown !== open), [fitting, open, shown])
  const onInit = useCallback(
    (flow: Flow) => {
      fillSlot(
        designer.canvas,
        createHandle(flow, {
          fitting,
          frame: () => frame.current,
          isMoving: () => isMoving.current,
          now: designer.ambient.now,
        }),
      )
      fitting.begin(flow)
    },
    [designer, fitting],
  )
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => fitting.resized())
    observer.observe(element)
    return () => {
      observer.disconnect()
      fillSlot(designer.canvas, null)
    }
  }, [designer, fitting])
  const onMoveStart = useCallback(
    (event: MouseEvent | TouchEvent | null) => {
      isMoving.current = true
      // Moves without an event are the app's own.
      if (event === null) return
      fitting.release()
      if (designer.view.getState().isFollowing) designer.view.getState().setFollowing(false)
    },
    [designer, fitting],
  )
  const onMoveEnd = useCallback(
    (_event: unknown, sight: Sight) => {
      isMoving.current = false
      designer.view.getState().setSight(fitting.isPlaced() ? null : sight)
    },
    [designer, fitting],
  )
  return { frame, first, onInit, onMoveStart, onMoveEnd, onNodeDragStart: fitting.release }
}

function fillSlot(slot: CanvasSlot, handle: CanvasHandle | null): void {
  slot.current = handle
}

interface HandleParts {
  readonly fitting: Fitting
  readonly frame: () => HTMLElement | null
  readonly isMoving: () => boolean
  readonly now: () => number
}

function createHandle(flow: Flow, { fitting, frame, isMoving, now }: HandleParts): CanvasHandle {
  const range = () => ({ min: zoomMin(flow.getNodes().length), max: zoomMax })
  const aim = createZoomAim({ now, lastsMs: moveMs, range })
  const middleOfFrame = () => {
    const box = frame()?.getBoundingClientRect() ?? new DOMRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const focus = (): void => frame()?.focus({ preventScroll: true })
  const bringIn = (id: string): void => {
    if (reveal(flow, frame(), id)) fitting.left()
  }
  let wanted: string | null = null
  return {
    fit: fitting.fit,
    fitNodes: (ids) => {
      fitting.release()
      const nodes = ids.map((id) => ({ id }))
      const how = { padding: 0.2, maxZoom: fitZoom.max, duration: moveMs, includeHiddenNodes: true }
      void flow.fitView({ ...how, nodes })
    },
    zoomBy: (factor) => {
      fitting.release()
      void flow.zoomTo(aim(flow.getZoom(), factor), { duration: moveMs })
    },
    zoomTo: (zoom) => {
      fitting.release()
      void flow.zoomTo(zoom, { duration: moveMs })
    },
    isMoving,
    middle: () => flow.screenToFlowPosition(middleOfFrame(), { snapToGrid: false }),
    seen: () => seenNodes(flow, frame()),
    toCanvas: (screen) => flow.screenToFlowPosition(screen, { snapToGrid: false }),
    toScreen: (canvas) => flow.flowToScreenPosition(canvas),
    focus,
    reveal: (id) => bringIn(id),
    focusNode: (id) => {
      bringIn(id)
      wanted = id
      focusCard(() => (wanted === id ? id : null), frame, framesMax)
    },
  }
}

/** For how many frames a card that comes into view is waited for. */
const framesMax = 30

/** Gives a card the keyboard as soon as it is drawn, the canvas until then; `wanted` is null once it is another one's turn. */
function focusCard(wanted: () => string | null, frame: () => HTMLElement | null, framesLeft: number): void {
  const had = document.activeElement
  requestAnimationFrame(() => {
    // Nobody who began to write since is interrupted, nor who went on to the triggers.
    const now = document.activeElement
    if (now !== had && (isWriting(now) || isAtEdge(now))) return
    // Nor who went on to anything else while the card was waited for.
    if (framesLeft < framesMax && now !== had) return
    const id = wanted()
    if (id === null) return
    const card = frame()?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    if (card instanceof HTMLElement) return card.focus({ preventScroll: true })
    if (now !== frame()) frame()?.focus({ preventScroll: true })
    if (framesLeft > 0) focusCard(wanted, frame, framesLeft - 1)
  })
}

/** Rows of cards count as one while they differ by less. */
const rowPx = 40

function seenNodes(flow: Flow, frame: HTMLElement | null): readonly string[] {
  const box = frame?.getBoundingClientRect()
  if (box === undefined) return []
  const [from, to] = [
    flow.screenToFlowPosition({ x: box.left, y: box.top }, { snapToGrid: false }),
    flow.screenToFlowPosition({ x: box.right, y: box.bottom }, { snapToGrid: false }),
  ]
  return flow
    .getNodes()
    .filter(({ id, type, hidden, position, width = 0, height = 0 }) => {
      const isIn =
        position.x < to.x && position.y < to.y && position.x + width > from.x && position.y + height > from.y
      return type === 'task' && hidden !== true && isNodeId(id) && isIn
    })
    .toSorted(
      (left, right) =>
        Math.round(left.position.y / rowPx) - Math.round(right.position.y / rowPx) ||
        left.position.x - right.position.x,
    )
    .map(({ id }) => id)
}

/** Moves the view so that a node outside of it is seen; false where it is in sight. */
function reveal(flow: Flow, frame: HTMLElement | null, id: string): boolean {
  const node = flow.getNode(id)
  if (node === undefined || frame === null) return false
  const { left, top, width, height } = frame.getBoundingClientRect()
  const corner = flow.flowToScreenPosition(node.position)
  const { x, y, zoom } = flow.getViewport()
  const size = { width: (node.width ?? 0) * zoom, height: (node.height ?? 0) * zoom }
  const card = { x: corner.x - left, y: corner.y - top, ...size }
  const inside = card.x > 0 && card.y > 0 && card.x + card.width < width && card.y < height - 40
  if (inside) return false
  const shift = shiftTo(card, { width, height })
  void flow.setViewport({ x: x + shift.x, y: y + shift.y, zoom }, { duration: moveMs })
  return true
}
