/** Who has a permit that others wait for, and where in its line a step or a run stands. */

import { reuseKey } from '../../core/permits/held-permits.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { poolPermitKey, tenantPermitKey, tenantRunsPermitKey } from '../../model/permit-keys.ts'
import type { PoolRules } from '../../model/pools.ts'
import { poolRuleOf } from '../../model/pools.ts'
import type { RunRecord } from '../../model/run.ts'
import type { TenantLimit } from '../../model/tenants.ts'
import type { Instant } from '../../model/time.ts'
import type { PermitQueue } from '../../protocol/why-waiting.ts'
import type { Store } from '../../store/store.ts'

/** A line is looked at this far; who stands behind it is told to be there. */
const lineMax = 10_000

export interface WaitLine {
  readonly permit: PermitQueue
  /** When a permit comes free by itself; null when nobody knows. */
  readonly until: Instant | null
}

/** What is read once for all answers: limits may have been changed since somebody stood in line. */
export interface LineSeen {
  readonly store: Store
  readonly partition: number
  readonly rules: PoolRules
  readonly tenants: ReadonlyMap<string, TenantLimit>
  /** For tenants without a limit of their own; what they were told when they stood in line when absent. */
  readonly otherTenants: TenantLimit | null
}

/** Null when the step waits for no permit, nor for another one's result. */
export async function lineOf(
  seen: LineSeen,
  record: InvocationRecord,
  now: Instant,
): Promise<WaitLine | null> {
  if (record.wait?.kind === 'reuse') return reuseLine(seen, record, record.wait.invocationId)
  const key = record.permits?.blockedBy ?? null
  if (key === null || record.status !== 'CONCURRENCY_CONTROLLED') return null
  const { invocations } = await seen.store.load(seen.partition, 'permitWaiters', { key, limit: lineMax })
  return lineAt(seen, { key, plan: record.permits, id: record.id, line: invocations, now })
}

/** Where a run stands in the line of a key. */
export async function runLine(
  seen: LineSeen,
  at: { readonly run: RunRecord; readonly key: string; readonly now: Instant },
): Promise<WaitLine> {
  const { run, key, now } = at
  const { runs } = await seen.store.load(seen.partition, 'permitWaiters', { key, limit: lineMax })
  return lineAt(seen, { key, plan: run.permits, id: run.id, line: runs, now })
}

/** As it is now; null for none any more: who stands there goes on with the next look at the line. */
function limitOf(seen: LineSeen, plan: PermitPlan | null, key: string): number | null {
  const told = plan?.permits.find((permit) => permit.key === key)?.limit ?? 1
  const name = key.slice(key.indexOf(':') + 1)
  if (key === poolPermitKey(name)) return poolRuleOf(seen.rules, name).limit
  const part = key === tenantPermitKey(name) ? 'jobs' : key === tenantRunsPermitKey(name) ? 'runs' : null
  if (part === null) return told
  const own = seen.tenants.get(name)?.[part]
  if (own !== undefined) return own
  const others = seen.otherTenants?.[part]
  return others === undefined ? told : others
}

async function lineAt(
  seen: LineSeen,
  at: {
    readonly key: string
    readonly plan: PermitPlan | null
    readonly id: string
    readonly line: readonly { readonly id: string }[]
    readonly now: Instant
  },
): Promise<WaitLine> {
  const { key, plan, id, line, now } = at
  const { store, partition } = seen
  const all = await store.load(partition, 'slotHolders', { key })
  const holding = all.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const place = line.findIndex((item) => item.id === id)
  const limit = limitOf(seen, plan, key) ?? holding.length + line.length
  const frees = holding.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
  return {
    permit: {
      key,
      limit,
      holders: holding.map(({ holder }) => holder),
      position: place < 0 ? line.length + 1 : place + 1,
      waiting: line.length,
    },
    until: frees.length === 0 ? null : Math.min(...frees),
  }
}

/** All who wait for the same result get it at once. */
async function reuseLine(
  { store, partition }: LineSeen,
  record: InvocationRecord,
  first: InvocationRecord['id'],
): Promise<WaitLine> {
  const waiting = await store.load(partition, 'slotHolders', { key: reuseKey(first) })
  const key = record.permits?.registration?.key ?? reuseKey(first)
  return {
    permit: { key, limit: 1, holders: [first], position: 1, waiting: waiting.length },
    until: null,
  }
}
