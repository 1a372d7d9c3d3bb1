/** A replay as a picture: each node by the worst that became of its steps, what is gone as a ghost. Pure. */

import type { TaskSpecs } from '../../../src-engine/model/definition-hash.ts'
import { versionChanges } from '../../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { ReplayedStep, ReplayVerdict } from '../../../src-engine/protocol/teleport.ts'
import type { DiffGraph, DiffMark } from './diff-graph.ts'
import { diffGraph } from './diff-graph.ts'

/** The worst first. */
const order: readonly ReplayVerdict[] = ['failed', 'differs', 'gone', 'new', 'open', 'kept', 'same']

const marks: Readonly<Record<ReplayVerdict, DiffMark | null>> = {
  failed: 'failed',
  differs: 'changed',
  gone: 'removed',
  new: 'added',
  open: null,
  kept: null,
  same: 'same',
}

/** The worst verdict of each node's steps. */
export function worstByNode(steps: readonly ReplayedStep[]): ReadonlyMap<string, ReplayVerdict> {
  const worst = new Map<string, ReplayVerdict>()
  for (const { nodeId, verdict } of steps) {
    const known = worst.get(nodeId)
    if (known === undefined || order.indexOf(verdict) < order.indexOf(known)) worst.set(nodeId, verdict)
  }
  return worst
}

/** The later version with the marks of the replay; nodes that only the earlier one has are ghosts. */
export function replayGraph(
  versions: { readonly before: WorkflowDocument; readonly after: WorkflowDocument },
  steps: readonly ReplayedStep[],
  specs: TaskSpecs,
): DiffGraph {
  const { before, after } = versions
  const drawn = diffGraph(before, after, versionChanges(before, after, specs))
  const nodes = new Map<string, DiffMark>()
  for (const [id, verdict] of worstByNode(steps)) {
    const mark = marks[verdict]
    if (mark !== null) nodes.set(id, mark)
  }
  for (const [id, mark] of drawn.nodes) if (mark === 'removed') nodes.set(id, mark)
  return { ...drawn, nodes }
}
