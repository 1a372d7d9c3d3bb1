/** Nodes and edges for React Flow, and what its changes mean for selection and document. */

import type { EdgeChange, NodeChange } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import { contentsOf } from '../rules/frames.ts'
import { useDesigner, useDocument, useView } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { useReadOnly, useShownDocument } from '../state/selectors.ts'
import type { Selection } from '../state/view-store.ts'
import { frameFlowId, frameIdOf, isNodeId, noteFlowId, noteIdOf, scopeFlowId, scopeIdOf } from './flow-ids.ts'
import type { FlowEdge, FlowNode } from './to-flow.ts'
import { createFlowCache } from './to-flow.ts'
import { useDragging } from './use-dragging.ts'

/** The props of React Flow that have to do with elements, those of a drag, and what is seen of it. */
export function useFlowElements() {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const selection = useView((state) => state.selection)
  const problems = useDocument((state) => state.problems)
  const { sight, held, onChanges, handlers } = useDragging(designer)
  const { specs } = designer
  const [made] = useState(createFlowCache)
  const fresh = useView((state) => state.fresh)
  const told = useMemo(
    () => (fresh === null ? problems : problems.filter((problem) => problem.nodeId !== fresh)),
    [problems, fresh],
  )
  const problemsByNode = useProblemsByNode(told, isReadOnly)
  const nodes = useMemo(() => {
    // A move of the hand goes past this; what comes in the middle of a drag leaves the cards where the hand holds them.
    const dragged = held()
    return made.nodes({ document, selection, problemsByNode, specs, isReadOnly, dragged })
  }, [made, document, selection, problemsByNode, specs, isReadOnly, held])
  const edges = useMemo(
    () => made.edges({ document, selection, isReadOnly }),
    [made, document, selection, isReadOnly],
  )
  const isBoxDrawn = useRef(false)
  const box = useMemo(
    () => ({
      onSelectionStart: () => void (isBoxDrawn.current = true),
      onSelectionEnd: () => void (isBoxDrawn.current = false),
    }),
    [],
  )
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      onChanges(changes)
      const picked = changes.filter((change) => change.type === 'select')
      if (picked.length > 0) selectNodes(designer, picked, isBoxDrawn.current)
    },
    [designer, onChanges],
  )
  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge>[]) => {
      const picked = changes.filter((change) => change.type === 'select')
      if (picked.length > 0) selectEdges(designer, picked)
    },
    [designer],
  )
  return { elements: { nodes, edges, onNodesChange, onEdgesChange, ...box }, sight, handlers }
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

function selectNodes(
  designer: Designer,
  changes: readonly { readonly id: string; readonly selected: boolean }[],
  isBoxDrawn: boolean,
): void {
  const { selection, select } = designer.view.getState()
  const chosen = new Set<string>([
    ...selection.nodes,
    ...selection.notes.map(noteFlowId),
    ...selection.scopes.map(scopeFlowId),
    ...selection.frames.map(frameFlowId),
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
    // Who clicks on a frame means it.
    frames: isBoxDrawn ? wholeFrames(designer, all) : all.map(frameIdOf).filter((id) => id !== null),
    edges: selection.edges,
    triggers: [],
  }
  select(next)
}

/** A box that is drawn inside of a frame touches it: a frame beside nodes counts only with all that is in it. */
function wholeFrames(designer: Designer, chosen: readonly string[]): readonly string[] {
  const { document } = designer.document.getState().history
  const nodes = new Set(chosen.filter(isNodeId))
  const frames = chosen.map(frameIdOf).filter((id) => id !== null)
  if (nodes.size === 0) return frames
  return frames.filter((id) => {
    const { nodes: inside } = contentsOf(document, id)
    const isCollapsed = document.layout?.frames?.[id]?.collapsed === true
    return isCollapsed || (inside.length > 0 && inside.every((node) => nodes.has(node)))
  })
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
