/** Which nodes are the body of which: maps and loops hold the steps that they repeat. Pure. */

import { isContainerKind } from '../../src-engine/model/containers.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { bodiesOf } from './found-once.ts'

/** Whether a node holds a body. */
export const isContainer = (node: Pick<WorkflowNode, 'kind'> | undefined): boolean =>
  node !== undefined && isContainerKind(node.kind)

type Nodes = Pick<WorkflowDocument, 'nodes'>

const nobody: readonly NodeId[] = []

/** The container of a node; null for one that stands on the canvas itself. */
export function parentOf({ nodes }: Nodes, id: NodeId): NodeId | null {
  const parent = nodes[id]?.parent
  return parent !== undefined && isContainer(nodes[parent]) ? parent : null
}

/** The nodes right inside a container, in the order of the document. */
export function childrenOf({ nodes }: Nodes, id: NodeId): readonly NodeId[] {
  return bodiesOf(nodes).get(id) ?? nobody
}

/** Everything inside of a container, however deep. */
export function insideOf(document: Nodes, id: NodeId): readonly NodeId[] {
  const found = new Set<NodeId>(childrenOf(document, id))
  // A set gives what is added while it is walked.
  for (const child of found) for (const inner of childrenOf(document, child)) found.add(inner)
  found.delete(id)
  return [...found]
}

/** How many containers are around a node. */
export function depthOf(document: Nodes, id: NodeId): number {
  let depth = 0
  const seen = new Set<NodeId>([id])
  for (let parent = parentOf(document, id); parent !== null; parent = parentOf(document, parent)) {
    // A document from elsewhere may have a circle.
    if (seen.has(parent)) break
    seen.add(parent)
    depth += 1
  }
  return depth
}

/** Whether a node may become part of that body: not of its own, nor of one inside it. */
export function mayEnter(document: Nodes, id: NodeId, container: NodeId): boolean {
  if (!isContainer(document.nodes[container]) || id === container) return false
  return !insideOf(document, id).includes(container)
}
