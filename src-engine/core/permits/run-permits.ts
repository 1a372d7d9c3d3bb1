/** What a workflow asks of its runs: how many at a time, how many in a while, what becomes of one too many. */

import type { WorkflowId } from '../../model/ids.ts'
import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { tenantRunsPermitKey } from '../../model/permit-keys.ts'
import type { RateLimit, WorkflowDocument } from '../../model/workflow.ts'

/** What becomes of a run that finds no room. */
export type WhenRunsAreFull = 'queue' | 'skip' | 'replace' | 'fail'

export interface RunPermits {
  readonly workflowId: WorkflowId
  /** Null for no limit. */
  readonly limit: number | null
  /** An expression on the input; null when all runs of the workflow count together. */
  readonly key: string | null
  readonly onFull: WhenRunsAreFull
  readonly rate: RateLimit | null
}

/** Null for a workflow that asks for nothing: its runs cost nothing extra. */
export function compileRunPermits({ id, settings }: WorkflowDocument): RunPermits | null {
  const limit = settings?.concurrency?.limit ?? null
  const rate = settings?.rateLimit ?? null
  if (limit === null && rate === null) return null
  const key = settings?.concurrency?.key ?? ''
  return {
    workflowId: id,
    limit,
    key: limit === null || key.trim() === '' ? null : key,
    onFull: settings?.concurrency?.onFull ?? 'queue',
    rate,
  }
}

/** What is known of a run when its plan is made. */
export interface RunDemand {
  readonly tenant: string
  /** How many runs its tenant may have under way; null for no limit. */
  readonly tenantLimit: number | null
  /** The value of the workflow's key; undefined when it has none. */
  readonly key: JsonValue | undefined
  /** Gives a short name to a text. */
  readonly hash: (text: string) => string
}

/** Null when nothing limits the run. */
export function runPlan(permits: RunPermits | null, demand: RunDemand): PermitPlan | null {
  const { tenant, tenantLimit, key, hash } = demand
  const list: Permit[] = []
  if (permits?.limit !== undefined && permits.limit !== null) {
    const part = key === undefined ? '' : `:${hash(canonicalJson(key))}`
    list.push({ key: `workflow:${permits.workflowId}${part}`, limit: permits.limit, windowMs: null })
  }
  if (tenantLimit !== null) {
    list.push({ key: tenantRunsPermitKey(tenant), limit: tenantLimit, windowMs: null })
  }
  const rate = permits?.rate ?? null
  if (permits !== null && rate !== null) {
    list.push({ key: `rate-runs:${permits.workflowId}`, limit: rate.count, windowMs: rate.perMs })
  }
  return list.length === 0 ? null : { permits: list, resolved: true, blockedSince: null, blockedBy: null }
}

/** What becomes of a run that misses this permit: only its own workflow may end it, or others in its favour. */
export function whenFull(permits: RunPermits | null, key: string): WhenRunsAreFull {
  const onFull = permits?.onFull ?? 'queue'
  if (key.startsWith('workflow:')) return onFull
  return key.startsWith('rate-runs:') && onFull !== 'replace' ? onFull : 'queue'
}
