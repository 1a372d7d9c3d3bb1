/** What a claim asks for an invocation: its own permits, and those of the pool and the tenant it is done for. */

import type { RunId } from '../model/ids.ts'
import { isCoreWorkflow } from '../model/ids.ts'
import type { InvocationRecord, Permit, PermitPlan } from '../model/invocation.ts'
import { isClaimsPermit, poolPermitKey, tenantPermitKey } from '../model/permit-keys.ts'
import type { RunRecord } from '../model/run.ts'
import type { ClaimLimits, ClaimRequest } from './store.ts'

/**
 * The plan with the limits of this moment: what an earlier claim added doesn't count any more. The record's
 * own plan, unchanged, where no such limit is or was.
 */
export function claimPlan(
  record: InvocationRecord,
  request: ClaimRequest,
  runOf: (id: RunId) => Pick<RunRecord, 'tenant' | 'workflowId'>,
): PermitPlan | null {
  const { permits: before } = record
  const limits = request.limits ?? null
  if (limits === null && (before === null || !before.permits.some(isAdded))) return before
  const added = limits === null ? none : addedPermits(record, { request, limits, run: runOf(record.runId) })
  const own = before === null ? none : before.permits.filter((permit) => !isAdded(permit))
  if (before === null) return added.length === 0 ? null : { ...emptyPlan, permits: added }
  return { ...before, permits: [...own, ...added] }
}

const isAdded = ({ key }: Permit): boolean => isClaimsPermit(key)

const none: readonly Permit[] = []
const emptyPlan: PermitPlan = { permits: none, resolved: true, blockedSince: null, blockedBy: null }

function addedPermits(
  record: InvocationRecord,
  claim: {
    readonly request: ClaimRequest
    readonly limits: ClaimLimits
    readonly run: Pick<RunRecord, 'tenant' | 'workflowId'>
  },
): readonly Permit[] {
  const { request, limits, run } = claim
  // The engine's own work keeps everything else going: nothing holds it up.
  if (isCoreWorkflow(run.workflowId)) return none
  const { pools, tenants, otherTenants } = limits
  const added: Permit[] = []
  const pool = (record.route?.pools ?? [record.pool]).find((name) => request.pools.includes(name))
  const poolLimit = pool !== undefined && Object.hasOwn(pools, pool) ? pools[pool] : undefined
  if (pool !== undefined && poolLimit !== undefined) {
    added.push({ key: poolPermitKey(pool), limit: poolLimit, windowMs: null })
  }
  const tenantLimit = Object.hasOwn(tenants, run.tenant) ? (tenants[run.tenant] ?? null) : otherTenants
  if (tenantLimit !== null) {
    added.push({ key: tenantPermitKey(run.tenant), limit: tenantLimit, windowMs: null })
  }
  return added
}
