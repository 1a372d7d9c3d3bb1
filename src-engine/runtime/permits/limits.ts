/** The limits that somebody sets while the engine runs: of tenants and of pools, read again now and then. */

import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { TenantLimit } from '../../model/tenants.ts'
import { readTenantLimits, tenantsRegister } from '../../model/tenants.ts'
import type { Store } from '../../store/store.ts'

export interface Limits {
  /** How many runs of a tenant may be under way; null for no limit. */
  readonly tenantRuns: (tenant: string) => number | null
  /** How many steps of a tenant may be at work; null for no limit. */
  readonly tenantSteps: (tenant: string) => number | null
  /** The plan with these limits as they are now; what has none any more is left out. */
  readonly current: (plan: PermitPlan) => PermitPlan
  /** Reads them again. */
  readonly refresh: () => Promise<void>
}

export interface LimitsDependencies {
  readonly store: Store
  readonly partition: number
  readonly settings: Pick<EngineSettings, 'tenantConcurrentJobsMax' | 'tenantConcurrentRunsMax'>
}

const tenantRunsPrefix = 'tenant-runs:'

export function createLimits({ store, partition, settings }: LimitsDependencies): Limits {
  let tenants: ReadonlyMap<string, TenantLimit> = new Map()
  const limitOf = (part: keyof TenantLimit, general: number) => (tenant: string) => {
    const own = tenants.get(tenant)?.[part]
    if (own !== undefined) return own
    return general === 0 ? null : general
  }
  const tenantRuns = limitOf('runs', settings.tenantConcurrentRunsMax)
  const now = (permit: Permit): readonly Permit[] => {
    if (!permit.key.startsWith(tenantRunsPrefix)) return [permit]
    const limit = tenantRuns(permit.key.slice(tenantRunsPrefix.length))
    return limit === null ? [] : [{ ...permit, limit }]
  }
  return {
    tenantRuns,
    tenantSteps: limitOf('jobs', settings.tenantConcurrentJobsMax),
    current: (plan) => ({ ...plan, permits: plan.permits.flatMap(now) }),
    refresh: async () => {
      const register = await store.load(partition, 'register', { key: tenantsRegister })
      tenants = readTenantLimits(register?.value)
    },
  }
}
