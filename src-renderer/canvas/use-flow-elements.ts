/** Nodes and edges for React Flow, and what its changes mean for selection and document. */

import type { EdgeChange, NodeChange, OnNodeDrag } from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { Point } from '../../src-engine/model/workflow.ts'
import { spliceNode } from '../commands/splice-node.ts'
import { useDesigner, useDocument, useView } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { useReadOnly, useShownDocument } from '../state/selectors.ts'
import type { Selection } from '../state/view-store.ts'
import { dropEdit, withBodies } from './drag-bodies.ts'
import { edgeUnder, markSplice } from './edge-under.ts'
import { isNodeId, noteFlowId, noteIdOf, scopeFlowId, scopeIdOf } from './flow-ids.ts'
import { snapped } from './geometry.ts'
import { freePortOf } from './placement.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'
import { createFlowCache } from './to-flow.ts'

const nothingDragged: ReadonlyMap<string, Point> = new Map()

/** The props of React Flow that have to do with elements. */
export function useFlowElements() {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const selection = useView((state) => state.selection)
  const problems = useDocument((state) => state.problems)
  const [dragged, setDragged] = useState(nothingDragged)
  const { specs } = designer
  const [made] = useState(createFlowCache)
  const fresh = useView((state) => state.fresh)
  const told = useMemo(
    () => (fresh === null ? problems : problems.filter((problem) => problem.nodeId !== fresh)),
    [problems, fresh],
  )
  const problemsByNode = useProblemsByNode(told, isReadOnly)
  const nodes = useMemo(
    () => made.nodes({ document, selection, problemsByNode, specs, isReadOnly, dragged }),
    [made, document, selection, problemsByNode, specs, isReadOnly, dragged],
  )
  const edges = useMemo(
    () => made.edges({ document, selection, isReadOnly }),
    [made, document, selection, isReadOnly],
  )
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const { document: known } = designer.document.getState().history
      setDragged((before) => withPositions(before, withBodies(known, changes, designer.specs)))
      const picked = changes.filter((change) => change.type === 'select')
      if (picked.length > 0) selectNodes(designer, picked)
    },
    [designer],
  )
  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge>[]) => {
      const picked = changes.filter((change) => change.type === 'select')
      if (picked.length > 0) selectEdges(designer, picked)
    },
    [designer],
  )
  const dragging = useDragging(designer, () => setDragged(nothingDragged))
  return { nodes, edges, onNodesChange, onEdgesChange, ...dragging }
}

type ProblemsByNode = ReadonlyMap<string, readonly Problem[]>

function useProblemsByNode(problems: readonly Problem[], isReadOnly: boolean): ProblemsByNode {
  const [grouped] = useState(createGrouping)
  return useMemo(() => grouped(isReadOnly ? [] : problems), [grouped, problems, isReadOnly])
}

/** The same list for the same problems as before keeps the card from being drawn again. */
function createGrouping() {
  let before: ProblemsByNode = new Map()
  return (problems: readonly Problem[]): ProblemsByNode => {
    const byNode = new Map<string, readonly Problem[]>()
    for (const [id, own] of Map.groupBy(problems, (problem) => problem.nodeId)) {
      if (id === null) continue
      const known = before.get(id)
      byNode.set(id, known !== undefined && JSON.stringify(known) === JSON.stringify(own) ? known : own)
    }
    before = byNode
    return byNode
  }
}

function useDragging(designer: Designer, release: () => void) {
  const finish = (moved: readonly FlowNode[], pointer: Point | null): void => {
    markSplice(null)
    const [only] = moved
    const edge =
      moved.length === 1 && only?.type === 'task' && pointer !== null
        ? spliceFor(designer, only, pointer)
        : null
    if (edge !== null) designer.document.getState().edit(edge)
    else designer.document.getState().edit(dropEdit(designer, moved))
    release()
  }
  const onNodeDrag: OnNodeDrag<FlowNode> = (event, node, moved) => {
    const isLoose = moved.length === 1 && node.type === 'task' && !hasEdges(designer, node.id)
    markSplice(isLoose ? edgeUnder(pointOf(event)) : null)
  }
  const onNodeDragStop: OnNodeDrag<FlowNode> = (event, _node, moved) => finish(moved, pointOf(event))
  // A dragged selection box reports here instead.
  const onSelectionDragStop = (_event: unknown, moved: FlowNode[]): void => finish(moved, null)
  return { onNodeDrag, onNodeDragStop, onSelectionDragStop }
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
  return Object.values(edges).some(({ from, to }) => from.node === id || to.node === id)
}

function withPositions(before: ReadonlyMap<string, Point>, changes: readonly NodeChange<FlowNode>[]) {
  const moves = changes.filter((change) => change.type === 'position')
  if (!moves.some((change) => change.dragging === true)) return before
  const after = new Map(before)
  for (const change of moves) if (change.position !== undefined) after.set(change.id, change.position)
  return after
}

function selectNodes(
  designer: Designer,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): void {
  const { selection, select } = designer.view.getState()
  const chosen = new Set<string>([
    ...selection.nodes,
    ...selection.notes.map(noteFlowId),
    ...selection.scopes.map(scopeFlowId),
  ])
  for (const { id, selected } of changes) {
    if (selected) chosen.add(id)
    else chosen.delete(id)
  }
  const all = [...chosen]
  const next: Selection = {
    nodes: all.filter(isNodeId).map(nodeId),
    notes: all.map(noteIdOf).filter((id) => id !== null),
    scopes: all.map(scopeIdOf).filter((id) => id !== null),
    edges: selection.edges,
  }
  select(next)
}

function selectEdges(
  designer: Designer,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): void {
  const { selection, select } = designer.view.getState()
  const chosen = new Set<string>(selection.edges)
  for (const { id, selected } of changes) {
    if (selected) chosen.add(id)
    else chosen.delete(id)
  }
  select({ ...selection, edges: [...chosen].map(edgeId) })
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
