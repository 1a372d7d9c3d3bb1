/** Fits the workflow, and keeps it in sight while panels open and close, until the person moves the view. */

import type { ReactFlowInstance, Viewport } from '@xyflow/react'
import { getViewportForBounds } from '@xyflow/react'
import type { Designer } from '../state/designer.ts'
import { isLarge, zoomMin } from './far/far-level.ts'
import { afterResize, beside, canFit, cornerView, fitPadding, fitZoom } from './fit.ts'
import { boundsOf } from './map/map-picture.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'
import { edgeRoom } from './triggers/edge-room.ts'

/** How long the view takes to another place. */
export const moveMs = 260

type Flow = ReactFlowInstance<FlowNode, FlowEdge>

/** How a view came about that no person chose: all of the workflow, or as much as can be told apart. */
interface Placed {
  readonly as: 'whole' | 'corner'
  readonly view: Viewport
}

export type Fitting = ReturnType<typeof createFitting>

/** The view of one canvas. */
export function createFitting(designer: Designer) {
  let flow: Flow | null = null
  let frame: HTMLElement | null = null
  let cards = 0
  let place: DOMRect | null = null
  let placed: Placed['as'] | null = null
  const room = (): Room | null => (frame === null ? null : roomIn(designer, frame, cards))
  const fit = (duration: number): void => {
    placed = 'whole'
    if (flow !== null) fitAll(flow, room(), duration)
  }
  const show = (): void => {
    const best = flow === null ? null : bestView(flow.getNodes(), room())
    if (best === null || flow === null) return
    placed = best.as
    // Where it is already, nobody who draws by the view is told.
    if (!isSame(best.view, flow.getViewport())) void flow.setViewport(best.view)
  }
  const back = ({ view, as }: Seen): void => {
    placed = as
    void flow?.setViewport(view)
  }
  const again = (): void => {
    if (placed === 'whole') fit(0)
    if (placed === 'corner') show()
  }
  return {
    fit: () => fit(moveMs),
    /** What is seen before React Flow is there: where a person looked before, they look again. */
    first: (element: HTMLElement, nodes: readonly FlowNode[]): Viewport => {
      frame = element
      place = element.getBoundingClientRect()
      const seen = designer.view.getState().sight
      if (seen !== null) return seen
      const best = bestView(nodes, room())
      placed = best?.as ?? null
      return best?.view ?? { x: 0, y: 0, zoom: 1 }
    },
    begin: (instance: Flow): void => {
      flow = instance
      // What came between the first look and now may have made it another one.
      if (placed !== null) show()
    },
    resized: (): void => {
      const next = frame?.getBoundingClientRect() ?? null
      const then = place === null || next === null ? 0 : afterResize(place, next, placed !== null)
      place = next
      if (then === 'again') return again()
      if (flow !== null && then !== 0) shift(flow, { right: 0, down: then })
    },
    turned: createTurning({ seen: () => flow && { view: flow.getViewport(), as: placed }, show, back }),
    /** So many cards stand at the left edge: what is fitted keeps clear of them. */
    leaveRoom: (count: number): void => {
      if (cards === count) return
      const hadCards = cards > 0
      cards = count
      if (placed !== null) return again()
      if (flow !== null && !hadCards && moveBeside(flow, room()) === 'whole') show()
    },
    release: (): void => {
      placed = null
    },
    /** A step was brought into view: of a workflow that isn't seen as a whole the corner may not show it again. */
    left: (): void => {
      if (placed === 'corner') placed = null
    },
    /** Whether no person chose the view: it is found anew when the document is opened again. */
    isPlaced: (): boolean => placed !== null,
  }
}

function shift(flow: Flow, { right, down }: { readonly right: number; readonly down: number }): void {
  const { x, y, zoom } = flow.getViewport()
  void flow.setViewport({ x: x + right, y: y - down, zoom })
}

/** Moves a person's view to the right of the first cards at the edge, if that is enough. */
function moveBeside(flow: Flow, room: Room | null): ReturnType<typeof beside> {
  const bounds = boundsOfNodes(flow.getNodes())
  if (room === null || bounds === null) return 0
  const { width, height } = room.frame.getBoundingClientRect()
  const wanted = beside(bounds, { ...flow.getViewport(), width, height }, room.left)
  if (wanted !== 'whole' && wanted !== 0) shift(flow, { right: wanted, down: 0 })
  return wanted
}

const boundsOfNodes = (nodes: readonly FlowNode[]) =>
  boundsOf(nodes.map(({ position, width = 0, height = 0 }) => ({ ...position, width, height })))

function fitAll(flow: Flow, room: Room | null, duration: number): void {
  const { padding } = room ?? {}
  // Seen from far away, nodes are hidden: they are fitted all the same.
  const how = { ...(padding && { padding }), maxZoom: fitZoom.max, duration, includeHiddenNodes: true }
  void flow.fitView({ ...how, minZoom: minZoom(flow.getNodes().length) })
}

/** How a workflow is seen, and by whose choice: a person's where `as` is null. */
interface Seen {
  readonly view: Viewport
  readonly as: Placed['as'] | null
}

/**
 * Told whether another workflow is shown in place of the open one, for a run of it is looked at: its cards stand
 * elsewhere, so it is shown as a whole, and the open one afterwards as it was.
 */
function createTurning(canvas: {
  readonly seen: () => Seen | null
  readonly show: () => void
  readonly back: (to: Seen) => void
}): (isOther: boolean) => void {
  let isAway = false
  let own: Seen | null = null
  return (isOther) => {
    if (isOther) {
      if (!isAway) own = canvas.seen()
      isAway = true
      canvas.show()
    } else if (isAway) {
      isAway = false
      if (own === null) canvas.show()
      else canvas.back(own)
    }
  }
}

/** Large workflows are seen from further away than a few cards would be. */
const minZoom = (count: number): number => (isLarge(count) ? zoomMin(count) : fitZoom.min)

/** The canvas, and what is kept free in it. */
interface Room {
  readonly frame: HTMLElement
  readonly left: number
  readonly padding: ReturnType<typeof fitPadding>
}

function roomIn({ view }: Designer, frame: HTMLElement, cards: number): Room {
  const left = edgeRoom(cards, frame.clientWidth)
  const hasMap = view.getState().panels.map === 'shown'
  return { frame, left, padding: fitPadding({ hasMap, left, width: frame.clientWidth }) }
}

/** Everything, unless that would be too small; then its upper left corner. Null where there is nothing to see. */
function bestView(nodes: readonly FlowNode[], room: Room | null): Placed | null {
  if (room === null) return null
  const { frame, left, padding } = room
  const sight = frame.getBoundingClientRect()
  const bounds = boundsOfNodes(nodes)
  if (bounds === null || bounds.width === 0) return null
  if (!canFit(bounds, sight, left)) return { as: 'corner', view: cornerView(bounds, sight, left) }
  const { width, height } = sight
  const zooms = [minZoom(nodes.length), fitZoom.max] as const
  return { as: 'whole', view: getViewportForBounds(bounds, width, height, ...zooms, padding) }
}

const isSame = (left: Viewport, right: Viewport): boolean =>
  Math.abs(left.x - right.x) < 0.5 &&
  Math.abs(left.y - right.y) < 0.5 &&
  Math.abs(left.zoom - right.zoom) < 0.001
