/** Who has a permit that others wait for, and where in its line a step or a run stands. */

import { reuseKey } from '../../core/permits/held-permits.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { poolPermitKey } from '../../model/permit-keys.ts'
import type { PoolRules } from '../../model/pools.ts'
import { poolRuleOf } from '../../model/pools.ts'
import type { RunRecord } from '../../model/run.ts'
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

interface Seen {
  readonly store: Store
  readonly partition: number
}

/** Null when the step waits for no permit, nor for another one's result. */
export async function lineOf(
  seen: Seen & { readonly rules: PoolRules },
  record: InvocationRecord,
  now: Instant,
): Promise<WaitLine | null> {
  if (record.wait?.kind === 'reuse') return reuseLine(seen, record, record.wait.invocationId)
  const key = record.permits?.blockedBy ?? null
  if (key === null || record.status !== 'CONCURRENCY_CONTROLLED') return null
  const { invocations } = await seen.store.load(seen.partition, 'permitWaiters', { key, limit: lineMax })
  const limit = poolLimit(seen.rules, record, key) ?? limitOf(record.permits, key)
  return lineAt(seen, { key, limit, id: record.id, line: invocations, now })
}

/** Where a run stands in the line of a key. */
export async function runLine(
  seen: Seen,
  at: { readonly run: RunRecord; readonly key: string; readonly now: Instant },
): Promise<WaitLine> {
  const { run, key, now } = at
  const { runs } = await seen.store.load(seen.partition, 'permitWaiters', { key, limit: lineMax })
  return lineAt(seen, { key, limit: limitOf(run.permits, key), id: run.id, line: runs, now })
}

const limitOf = (plan: PermitPlan | null, key: string): number =>
  plan?.permits.find((permit) => permit.key === key)?.limit ?? 1

/** A pool's limit may have been changed since the step stood in line. */
function poolLimit(rules: PoolRules, record: InvocationRecord, key: string): number | null {
  const pool = (record.route?.pools ?? [record.pool]).find((name) => poolPermitKey(name) === key)
  return pool === undefined ? null : poolRuleOf(rules, pool).limit
}

async function lineAt(
  { store, partition }: Seen,
  at: {
    readonly key: string
    readonly limit: number
    readonly id: string
    readonly line: readonly { readonly id: string }[]
    readonly now: Instant
  },
): Promise<WaitLine> {
  const { key, limit, id, line, now } = at
  const all = await store.load(partition, 'slotHolders', { key })
  const holding = all.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  const place = line.findIndex((item) => item.id === id)
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
  { store, partition }: Seen,
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
