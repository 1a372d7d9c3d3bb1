/** Which steps of a workflow may touch the outside once the run goes on from some of them. */

import type { NodeId } from './ids.ts'
import type { TaskSpec } from './task-spec.ts'
import type { WorkflowDocument } from './workflow.ts'

/** Those steps, what follows them and what stands in them, as far as they have effects; in the order of the document. */
export function actingSteps(
  { nodes, edges }: WorkflowDocument,
  first: readonly NodeId[],
  specsByKind: ReadonlyMap<string, Pick<TaskSpec, 'sideEffect'>>,
): readonly NodeId[] {
  const reached = new Set<NodeId>(first)
  // Keys of `nodes` are node ids.
  const all = Object.entries(nodes) as [NodeId, (typeof nodes)[NodeId]][]
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of Object.values(edges)) if (reached.has(from.node)) reached.add(to.node)
    for (const [id, { parent }] of all) if (parent !== undefined && reached.has(parent)) reached.add(id)
  }
  return all
    .filter(([id, { kind, disabled }]) => {
      const acts = (specsByKind.get(kind)?.sideEffect ?? 'unsafe') !== 'pure'
      return reached.has(id) && disabled !== true && acts
    })
    .map(([id]) => id)
}
