/** Which node may undo which, and how a node is undone at all. Pure. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import { whyNotUndoing } from '../../src-engine/model/undoing-kinds.ts'
import type { Compensation, WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { undoRefusals } from '../text/saga-words.ts'
import { parentOf } from './bodies.ts'

/** The port that leads from a node to the one that undoes it; no edge of a document leaves by it. */
export const undoPort = '$undo'

/** The id that the line from a node to the one that undoes it has on the canvas. */
export const undoEdgeId = (of: string): EdgeId => edgeId(`undo:${of}`)
/** The node that such a line leads from; null for an edge of the document. */
export const undoneBy = (id: string): NodeId | null => (id.startsWith('undo:') ? nodeId(id.slice(5)) : null)

/** The ways in which a document says how a node is undone. */
export type UndoWay = 'none' | 'task' | 'node' | 'impossible'

/** How a node is undone. */
export function undoWayOf(undo: Compensation | undefined): UndoWay {
  if (undo === undefined) return 'none'
  if (undo.impossible !== undefined) return 'impossible'
  if (undo.task !== undefined) return 'task'
  return undo.node === undefined ? 'none' : 'node'
}

/** Kinds whose effect is nothing outside of the run have nothing to undo. */
export function hasEffect(node: WorkflowNode, specs: ReadonlyMap<string, TaskSpec>): boolean {
  return (node.sideEffect ?? specs.get(node.kind)?.sideEffect ?? 'unsafe') !== 'pure'
}

/** The step that a node's kind offers to undo it, ready to be changed; without an offer one that does nothing. */
export function offeredUndo(
  node: WorkflowNode,
  specs: ReadonlyMap<string, TaskSpec>,
): NonNullable<Compensation['task']> {
  const offered = specs.get(node.kind)?.undoneBy?.(node.parameters ?? {}) ?? null
  return offered === null ? { kind: 'noop', parameters: {} } : structuredClone(offered)
}

export interface UndoRefusal {
  readonly code: keyof typeof undoRefusals
  readonly message: string
}

/** True, or why a node can't undo another. What undoes never runs on the way forward. */
export function mayUndo(
  document: WorkflowDocument,
  { of, by }: { readonly of: NodeId; readonly by: NodeId },
): true | UndoRefusal {
  const [done, undoing] = [document.nodes[of], document.nodes[by]]
  if (done === undefined || undoing === undefined) return refuse('unknown-node')
  if (of === by) return refuse('itself')
  const wrongKind = whyNotUndoing(undoing.kind)
  if (wrongKind !== null) return refuse(wrongKind)
  if (undoing.compensation !== undefined) return refuse('undone-itself')
  const isOnTheWay = Object.values(document.edges).some(({ from, to }) => from.node === by || to.node === by)
  if (isOnTheWay) return refuse('on-the-way')
  if (parentOf(document, of) !== parentOf(document, by)) return refuse('border')
  return true
}

/** The nodes that may undo this one, in the order of the document; the one that does already among them. */
export function undoersOf(document: WorkflowDocument, of: NodeId): readonly NodeId[] {
  const current = document.nodes[of]?.compensation?.node
  // Keys of the nodes are their ids.
  return (Object.keys(document.nodes) as NodeId[]).filter(
    (by) => by === current || mayUndo(document, { of, by }) === true,
  )
}

/** A node that stands aside as one that undoes would, and why it can't undo this one all the same. */
export interface RefusedUndoer {
  readonly id: NodeId
  readonly message: string
}

/** Nodes that people might look for among those that may undo this one, in the order of the document. */
export function refusedUndoersOf(document: WorkflowDocument, of: NodeId): readonly RefusedUndoer[] {
  return (Object.keys(document.nodes) as NodeId[]).flatMap((id) => {
    const verdict = mayUndo(document, { of, by: id })
    if (verdict === true || tellsNothing.has(verdict.code)) return []
    const isOnTheWay = Object.values(document.edges).some(
      ({ from, to }) => from.node === id || to.node === id,
    )
    return isOnTheWay || parentOf(document, of) !== parentOf(document, id)
      ? []
      : [{ id, message: verdict.message }]
  })
}

/** Refusals that are plain to see. */
const tellsNothing: ReadonlySet<UndoRefusal['code']> = new Set([
  'unknown-node',
  'itself',
  'on-the-way',
  'border',
])

/** The nodes that undo others: they stand beside the way forward. */
export function undoingNodes({ nodes }: Pick<WorkflowDocument, 'nodes'>): ReadonlySet<string> {
  return new Set(Object.values(nodes).flatMap(({ compensation }) => compensation?.node ?? []))
}

function refuse(code: UndoRefusal['code']): UndoRefusal {
  return { code, message: undoRefusals[code] }
}
