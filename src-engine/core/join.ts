/** When a node with several ways in may run; the same rules for a decision and for a rebuilt state. */

import type { CompiledNode } from './compile.ts'
import type { NodePhase } from './run-state.ts'

export type Readiness = 'waits' | 'ready' | 'skipped' | 'unsatisfied'

/** What the decided ways in mean for the node. */
export function readinessOf(
  node: CompiledNode,
  ways: { readonly decided: number; readonly taken: number },
): Readiness {
  const { join, waysIn } = node
  if (waysIn.length === 0) return 'ready'
  const complete = ways.decided === waysIn.length
  const needed = join.mode === 'count' ? join.count : 1
  const satisfied = join.mode === 'all' ? complete && ways.taken > 0 : ways.taken >= needed
  if (satisfied) return 'ready'
  if (!complete) return 'waits'
  return ways.taken === 0 ? 'skipped' : 'unsatisfied'
}

/** Whether the node only leads to a join that cancelled its losers: running it would be for nothing. */
export function isMoot(node: CompiledNode, phaseOf: (join: CompiledNode) => NodePhase | undefined): boolean {
  return node.loserOf.some((join) => phaseOf(join) === 'invoked')
}
