/** What leads to nodes, and what they lead to. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** These nodes and everything before them (`up`), or after them (`down`), however far. */
export function reached(
  { nodes, edges }: Pick<WorkflowDocument, 'nodes' | 'edges'>,
  from: readonly NodeId[],
  direction: 'up' | 'down',
): readonly NodeId[] {
  const nextOf = new Map<NodeId, NodeId[]>()
  for (const edge of Object.values(edges)) {
    const [key, next] = direction === 'down' ? [edge.from.node, edge.to.node] : [edge.to.node, edge.from.node]
    const known = nextOf.get(key)
    if (known === undefined) nextOf.set(key, [next])
    else known.push(next)
  }
  const found = new Set(from)
  // A set gives what is added while it is walked.
  for (const id of found) for (const next of nextOf.get(id) ?? []) found.add(next)
  return [...found].filter((id) => nodes[id] !== undefined)
}
