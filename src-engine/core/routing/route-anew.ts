/** Work that waits follows what operators say about pools since it was registered. */

import type { InvocationId } from '../../model/ids.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { poolAt, routeAt } from './node-route.ts'

/** Routes available work as if it were registered now; null when that changes nothing. */
export function routeAnew(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  const node = record === undefined ? undefined : state.workflow.nodeById.get(record.nodeId)
  if (record === undefined || node === undefined || !invocationMachine.available.has(record.status))
    return null
  const made = routeAt(node, context.pools ?? null, context.now)
  const pools = made?.pools ?? [node.pool]
  const before = record.route?.pools ?? [record.pool]
  if (pools.length === before.length && pools.every((pool, index) => pool === before[index])) return null
  const draft = createDraft(state, context)
  // A head start is given once.
  const route = made === null ? null : { ...made, preferredUntil: record.route?.preferredUntil ?? null }
  touchInvocation(draft, id, { route, pool: poolAt(node, route), waitReason: null })
  return finishDraft(draft)
}
