/**
 * Joins that wait for branches which can't come any more: a step on the way there has failed, and the run only finishes
 * its other branches. What has come goes on at once, as it would once the join's time is over.
 */

import type { CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { recordOf } from './draft.ts'
import { endJoinInTime } from './propagate.ts'
import { forwardId, isActive } from './run-state.ts'
import { waitingJoin } from './timed-joins.ts'

/** Ends the waits that are in vain; a failure inside of a map or loop ends its level anyway. */
export function endVainJoins(draft: Draft): void {
  if (draft.run.error === null) return
  // One that goes on may be what the next one waits for.
  for (const node of draft.state.workflow.nodes) {
    const waiting = waitingJoin(draft, node, '')
    if (waiting !== null && !mayGetMore(draft, node)) endJoinInTime(draft, waiting)
  }
}

const mayGetMore = (draft: Draft, join: CompiledNode): boolean =>
  join.waysIn.some((edge) => isOpen(draft, edge.index) && mayCome(draft, edge.from, new Map()))

const isOpen = ({ edges, state }: Draft, index: number): boolean =>
  (edges?.get(index) ?? state.edgeDecisions[index]) === undefined

/** Whether a node is at work, or may still begin: what has ended without deciding its ways out has failed. */
function mayCome(draft: Draft, node: CompiledNode, known: Map<number, boolean>): boolean {
  const before = known.get(node.index)
  if (before !== undefined) return before
  known.set(node.index, false)
  const record = recordOf(draft, forwardId(draft.state, node.id))
  const comes =
    record === undefined
      ? node.waysIn.some((edge) => isOpen(draft, edge.index) && mayCome(draft, edge.from, known))
      : isActive(record)
  known.set(node.index, comes)
  return comes
}
