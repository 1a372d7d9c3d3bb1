/** Dragging cards: snapping to what they line up with, into bodies and edges, and with Alt a copy instead. */

import type { NodeChange, OnNodeDrag } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Point } from '../../src-engine/model/workflow.ts'
import { cornerOf, makeClip, paste } from '../commands/clip.ts'
import { spliceNode } from '../commands/splice-node.ts'
import { insideOf } from '../rules/bodies.ts'
import { joinedBy } from '../rules/found-once.ts'
import type { Designer } from '../state/designer.ts'
import { boxOf } from './container-box.ts'
import { dropEdit, withBodies } from './drag-bodies.ts'
import { edgeUnder, markSplice } from './edge-under.ts'
import type { Box } from './fit.ts'
import { isNodeId } from './flow-ids.ts'
import { gridStep, snapped } from './geometry.ts'
import type { Guide } from './guides.ts'
import { noSnap, snapOf } from './guides.ts'
import { freePortOf } from './placement.ts'
import { draggedScopes } from './saga-flow.ts'
import type { Strips } from './strips.ts'
import { stripsOf } from './strips.ts'
import type { FlowNode } from './to-flow.ts'

/** How near a card has to come to a line to stick to it, in pixels of the window; a step of the grid at least. */
const reachPx = 6

/** What is seen of a drag. */
export interface DragSight {
  /** Places of what is being dragged, by id of the flow node. */
  readonly dragged: ReadonlyMap<string, Point>
  /** The frames of the groups that stretch after it. */
  readonly scopes: ReadonlyMap<string, Box>
  readonly guides: readonly Guide[]
  /** Where the originals stay while a copy is dragged. */
  readonly ghosts: readonly Box[]
}

/** Told to whoever draws it: the canvas as a whole isn't drawn anew for a move of a hand. */
export type DragStore = StoreApi<DragSight>

const still: DragSight = { dragged: new Map(), scopes: new Map(), guides: [], ghosts: [] }

interface Session {
  readonly start: ReadonlyMap<string, Box>
  /** What stays where it is. */
  readonly others: Strips
  readonly isCopy: boolean
  /** What the last change was shifted by to line up. */
  by: Point
}

const heldIn = (sight: DragStore) => (): DragSight['dragged'] => sight.getState().dragged

type Changes = readonly NodeChange<FlowNode>[]

/** The handlers of a drag, what is to be seen of it, and what the hand holds: another question after each drop. */
export function useDragging(designer: Designer) {
  const [sight] = useState<DragStore>(() => createStore(() => still))
  const [held, setHeld] = useState(() => heldIn(sight))
  const session = useRef<Session | null>(null)
  const onChanges = useCallback(
    (changes: Changes) =>
      sight.setState((before) => moved(designer, { before, changes, session: session.current }), true),
    [designer, sight],
  )
  const handlers = useMemo(() => {
    const begin = (event: { readonly altKey?: boolean }, nodes: readonly FlowNode[]): void => {
      session.current = beginSession(designer, nodes, event.altKey === true)
    }
    const end = (nodes: readonly FlowNode[], pointer: Point | null): void => {
      markSplice(null)
      finish(designer, settled(nodes, session.current), { pointer, session: session.current })
      session.current = null
      sight.setState(still, true)
      // What was made while the hand held it is made again.
      setHeld(() => heldIn(sight))
    }
    const onNodeDragStart: OnNodeDrag<FlowNode> = (event, _node, nodes) => begin(event, nodes)
    const onNodeDrag: OnNodeDrag<FlowNode> = (event, node, nodes) => {
      const isLoose = nodes.length === 1 && node.type === 'task' && !hasEdges(designer, node.id)
      markSplice(isLoose ? edgeUnder(pointOf(event)) : null)
    }
    const onNodeDragStop: OnNodeDrag<FlowNode> = (event, _node, nodes) => end(nodes, pointOf(event))
    return {
      onNodeDragStart,
      onNodeDrag,
      onNodeDragStop,
      // A dragged selection box reports here instead.
      onSelectionDragStart: (event: { readonly altKey?: boolean }, nodes: FlowNode[]): void =>
        begin(event, nodes),
      onSelectionDragStop: (_event: unknown, nodes: FlowNode[]): void => end(nodes, null),
    }
  }, [designer, sight])
  return { sight, held, onChanges, handlers }
}

function beginSession(designer: Designer, nodes: readonly FlowNode[], isCopy: boolean): Session {
  const { document } = designer.document.getState().history
  const start = new Map(
    nodes.map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]),
  )
  const ids = nodes.map(({ id }) => id).filter(isNodeId)
  const along = new Set<string>(ids.flatMap((id) => [id, ...insideOf(document, nodeId(id))]))
  for (const id of ids) for (const outer of outerOf(designer, nodeId(id))) along.add(outer)
  const others = Object.keys(document.nodes)
    .filter((id) => !along.has(id))
    .map((id) => boxOf(document, nodeId(id), designer.specs))
  return { start, others: stripsOf(others), isCopy, by: noSnap.by }
}

/** The containers around a node: a card inside of one doesn't line up with its frame. */
function outerOf(designer: Designer, id: NodeId): readonly NodeId[] {
  const { nodes } = designer.document.getState().history.document
  const found = new Set<NodeId>()
  for (let at = nodes[id]?.parent; at !== undefined && !found.has(at); at = nodes[at]?.parent) found.add(at)
  return [...found]
}

function moved(
  designer: Designer,
  drag: { readonly before: DragSight; readonly changes: Changes; readonly session: Session | null },
): DragSight {
  const { before, changes, session } = drag
  const moves = changes.filter((change) => change.type === 'position')
  if (!moves.some((change) => change.dragging === true)) return before
  const snap = session === null ? noSnap : snapFor(designer, moves, session)
  if (session !== null) session.by = snap.by
  const shifted = moves.map((change) =>
    change.position === undefined ? change : { ...change, position: plus(change.position, snap.by) },
  )
  const { document } = designer.document.getState().history
  const dragged = new Map(before.dragged)
  for (const change of withBodies(document, shifted, designer.specs)) {
    if (change.type === 'position' && change.position !== undefined) dragged.set(change.id, change.position)
  }
  const scopes = draggedScopes({ document, specs: designer.specs, dragged })
  const ghosts = session?.isCopy === true ? [...session.start.values()] : []
  return { dragged, scopes, guides: snap.guides, ghosts }
}

function snapFor(
  designer: Designer,
  moves: readonly { readonly id: string; readonly position?: Point }[],
  session: Session,
) {
  const boxes = moves.flatMap(({ id, position }) => {
    const box = session.start.get(id)
    return box === undefined || position === undefined ? [] : [{ ...box, ...position }]
  })
  if (boxes.length === 0) return noSnap
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y
  return snapOf({ x, y, width, height }, session.others, Math.max(reachPx / zoomOf(designer), gridStep))
}

/** How many pixels of the window one of the canvas is. */
function zoomOf({ canvas }: Designer): number {
  const [from, to] = [canvas.current?.toScreen({ x: 0, y: 0 }), canvas.current?.toScreen({ x: 1, y: 0 })]
  return from === undefined || to === undefined ? 1 : Math.max(0.05, to.x - from.x)
}

/** The nodes where they were seen last, lined up. */
const settled = (nodes: readonly FlowNode[], session: Session | null): readonly FlowNode[] =>
  nodes.map((node) => ({ ...node, position: plus(node.position, session?.by ?? noSnap.by) }))

const plus = (at: Point, by: Point): Point => ({ x: at.x + by.x, y: at.y + by.y })

function finish(
  designer: Designer,
  nodes: readonly FlowNode[],
  drag: { readonly pointer: Point | null; readonly session: Session | null },
): void {
  const { edit } = designer.document.getState()
  if (drag.session?.isCopy === true && copyTo(designer, nodes, drag.session)) return
  const [only] = nodes
  const splice =
    nodes.length === 1 && only?.type === 'task' && drag.pointer !== null
      ? spliceFor(designer, only, drag.pointer)
      : null
  edit(splice ?? dropEdit(designer, nodes))
}

/** Puts copies there and leaves the originals; false when there is nothing to copy. */
function copyTo(designer: Designer, nodes: readonly FlowNode[], { start }: Session): boolean {
  const { history, edit } = designer.document.getState()
  const ids = nodes.map(({ id }) => id).filter(isNodeId)
  const clip = makeClip(history.document, ids.map(nodeId))
  const [first] = nodes
  const from = first === undefined ? undefined : start.get(first.id)
  if (clip === null || first === undefined || from === undefined) return false
  const by = { x: first.position.x - from.x, y: first.position.y - from.y }
  if (by.x === 0 && by.y === 0) return true
  const plan = paste(history.document, clip, plus(cornerOf(clip), by))
  edit({ ...plan.edit, label: ids.length === 1 ? 'Drag a copy' : `Drag ${ids.length} copies` })
  designer.view.getState().select({ nodes: plan.ids })
  return true
}

function spliceFor(designer: Designer, node: FlowNode, pointer: Point) {
  if (hasEdges(designer, node.id)) return null
  const { document } = designer.document.getState().history
  const edge = edgeUnder(pointer)
  const outPort = freePortOf(designer, document, nodeId(node.id))
  if (edge === null || outPort === null) return null
  return spliceNode({ node: nodeId(node.id), outPort, edge: edgeId(edge), position: snapped(node.position) })
}

function hasEdges(designer: Designer, id: string): boolean {
  const { edges } = designer.document.getState().history.document
  return joinedBy(edges).has(id)
}

function pointOf(
  event:
    | { readonly clientX?: number; readonly clientY?: number }
    | MouseEvent
    | TouchEvent
    | React.MouseEvent,
): Point {
  if ('clientX' in event && event.clientX !== undefined) return { x: event.clientX, y: event.clientY ?? 0 }
  const touch = 'changedTouches' in event ? event.changedTouches[0] : undefined
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}
