/** Whether two ports may be connected: asked by the gesture while dragging and by the command itself. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { edgeId } from '../../src-engine/model/ids.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { errorPort } from '../../src-engine/model/workflow.ts'
import { refusals } from '../text/messages.ts'
import { parentOf } from './bodies.ts'
import type { UndoRefusal } from './compensation.ts'
import { mayUndo, undoingNodes, undoPort } from './compensation.ts'
import { edgeBetween, edgesFrom } from './edges-from.ts'

export interface Refusal {
  readonly code: keyof typeof refusals | UndoRefusal['code']
  /** For the tooltip beside the pointer. */
  readonly message: string
}

export type SpecsByKind = ReadonlyMap<string, TaskSpec>

/** True, or why not. `replacing` is an edge that is being led somewhere else and counts as gone. */
export function mayConnect(
  document: WorkflowDocument,
  edge: Pick<WorkflowEdge, 'from' | 'to'>,
  context: { readonly specs: SpecsByKind; readonly replacing?: string | null },
): true | Refusal {
  const source = document.nodes[edge.from.node]
  const target = document.nodes[edge.to.node]
  if (source === undefined || target === undefined) return refuse('unknown-node')
  if (edge.from.port === undoPort) return mayUndo(document, { of: edge.from.node, by: edge.to.node })
  if (edge.from.node === edge.to.node) return refuse('itself')
  const undoing = undoingNodes(document)
  if (undoing.has(edge.from.node) || undoing.has(edge.to.node)) return refuse('undoes')
  const targetSpec = context.specs.get(target.kind)
  if (targetSpec !== undefined && !targetSpec.hasInput) return refuse('no-input')
  const sourceSpec = context.specs.get(source.kind)
  if (sourceSpec !== undefined && edge.from.port !== errorPort) {
    const ports = sourceSpec.outputs(source.parameters ?? {})
    if (!ports.some((port) => port.id === edge.from.port)) return refuse('no-such-port')
  }
  const replacing = context.replacing ?? null
  if (edgeBetween(document.edges, edge, replacing) !== null) return refuse('already')
  if (parentOf(document, edge.from.node) !== parentOf(document, edge.to.node)) return refuse('border')
  if (leadsTo(document, { from: edge.to.node, to: edge.from.node, without: replacing }))
    return refuse('cycle')
  return true
}

/** Whether a way along edges leads from one node to another. */
function leadsTo(
  document: WorkflowDocument,
  way: { readonly from: NodeId; readonly to: NodeId; readonly without?: string | null },
): boolean {
  const { edges } = document
  const ways = edgesFrom(edges)
  const seen = new Set<string>([way.from])
  const open: NodeId[] = [way.from]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === way.to) return true
    for (const id of ways.get(node) ?? []) {
      const next = edges[edgeId(id)]?.to.node
      if (id === way.without || next === undefined || seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return false
}

function refuse(code: keyof typeof refusals): Refusal {
  return { code, message: refusals[code] }
}
