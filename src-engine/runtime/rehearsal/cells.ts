/** What is tried in a rehearsal: each step that does something, in each way in which it can go wrong. */

import { ancestorsOf, buildGraph } from '../../model/graph.ts'
import type { NodeId } from '../../model/ids.ts'
import type { SagaCoverage } from '../../model/saga-coverage.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Mishap } from './rehearsed-host.ts'

/** In the order of the document. */
export function cellsOf(
  document: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
  coverage: SagaCoverage,
): readonly Mishap[] {
  const undoers = new Set(Object.values(document.nodes).map(({ compensation }) => compensation?.node))
  const graph = buildGraph(document)
  const undone = new Set(coverage.effects.flatMap(({ plan, nodeId }) => (plan === 'undone' ? [nodeId] : [])))
  return graph.nodes.flatMap(({ id, node }): readonly Mishap[] => {
    if (undoers.has(id) || node.disabled === true || node.bypassed === true) return []
    if (specsByKind.get(node.kind)?.execution === 'inline') return []
    const own = (['fails', 'times-out', 'crashes'] as const).map((mode) => ({
      nodeId: id,
      mode,
      because: null,
    }))
    if (!undone.has(id)) return own
    const because =
      coverage.points.findLast((point) => ancestorsOf(graph, point.nodeId).has(id))?.nodeId ?? null
    return because === null ? own : [...own, { nodeId: id, mode: 'undo-fails', because }]
  })
}

/** The steps of the document that cells are about, once each. */
export const stepsOf = (cells: readonly Mishap[]): ReadonlySet<NodeId> =>
  new Set(cells.map(({ nodeId }) => nodeId))
