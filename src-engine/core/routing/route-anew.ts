/** Work that waits follows what operators say about pools since it was registered. */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { isPoolPermit, poolPermitKey } from '../../model/permit-keys.ts'
import { isHeld } from '../control/hold.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOfRecord, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { poolAt, routeAt } from './node-route.ts'

/**
 * Routes work that waits to be claimed, or in line for a permit, as if it were registered now; null when that
 * changes nothing. It asks for no permit of a pool that it leaves, and doesn't stand in that one's line.
 */
export function routeAnew(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  const node = record === undefined ? undefined : nodeOfRecord(state.workflow, record)
  if (record === undefined || node === undefined || !isRouted(record)) return null
  const made = routeAt(node, context.pools ?? null, context.now)
  const pools = made?.pools ?? [node.pool]
  const before = record.route?.pools ?? [record.pool]
  if (pools.length === before.length && pools.every((pool, index) => pool === before[index])) return null
  const draft = createDraft(state, context)
  // A head start is given once.
  const route = made === null ? null : { ...made, preferredUntil: record.route?.preferredUntil ?? null }
  const permits = withinPools(record.permits, pools)
  const set = { route, pool: poolAt(node, route), permits }
  if (record.status === 'CONCURRENCY_CONTROLLED' && permits?.blockedBy === null) {
    moveInvocation(draft, id, { to: 'REROUTED', set })
    settle(draft)
  } else {
    const keepsReason = isHeld(record) || record.status === 'CONCURRENCY_CONTROLLED'
    touchInvocation(draft, id, keepsReason ? set : { ...set, waitReason: null })
  }
  return finishDraft(draft)
}

const isRouted = ({ status }: InvocationRecord): boolean =>
  invocationMachine.available.has(status) || status === 'CONCURRENCY_CONTROLLED'

/** Without permits of other pools, which an earlier claim added; the same plan where there are none. */
function withinPools(plan: PermitPlan | null, pools: readonly string[]): PermitPlan | null {
  if (plan === null) return null
  const isLeft = (key: string): boolean =>
    isPoolPermit(key) && !pools.some((pool) => poolPermitKey(pool) === key)
  const permits = plan.permits.filter(({ key }) => !isLeft(key))
  if (permits.length === plan.permits.length) return plan
  const blockedBy = plan.blockedBy !== null && isLeft(plan.blockedBy) ? null : plan.blockedBy
  return { ...plan, permits, blockedBy }
}
