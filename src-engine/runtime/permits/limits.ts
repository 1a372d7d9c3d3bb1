/** The limits that somebody sets while the engine runs, of tenants and of pools, as they are now. */

import type { Permit, PermitPlan } from '../../model/invocation.ts'
import { poolPermitKey, tenantPermitKey, tenantRunsPermitKey } from '../../model/permit-keys.ts'
import type { PoolRules } from '../../model/pools.ts'
import { noPoolRules } from '../../model/pools.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { TenantLimit } from '../../model/tenants.ts'
import { readTenantLimits, tenantsRegister } from '../../model/tenants.ts'
import type { ClaimLimits, Store } from '../../store/store.ts'

export interface Limits {
  /** How many runs of a tenant may be under way; null for no limit. */
  readonly tenantRuns: (tenant: string) => number | null
  /** Whether steps of the pool, and of every tenant, may begin without asking the store who else is at work. */
  readonly leavesAlone: (pool: string) => boolean
  /** What a claim has to keep to; null for nothing. */
  readonly ofClaims: () => ClaimLimits | null
  /** The plan with these limits as they are now; what has none any more is left out. */
  readonly current: (plan: PermitPlan) => PermitPlan
  /** Reads those of tenants again. */
  readonly refresh: () => Promise<void>
}

export interface LimitsDependencies {
  readonly store: Store
  readonly partition: number
  readonly settings: Pick<EngineSettings, 'tenantConcurrentJobsMax' | 'tenantConcurrentRunsMax'>
  /** What is said about pools, as it was last read. */
  readonly pools: () => PoolRules
}

export function createLimits(dependencies: LimitsDependencies): Limits {
  return new RegisteredLimits(dependencies)
}

class RegisteredLimits implements Limits {
  readonly #dependencies: LimitsDependencies
  #tenants: ReadonlyMap<string, TenantLimit> = new Map()
  /** Steps by tenant, as a claim takes them; null while nobody limits any. */
  #steps: Pick<ClaimLimits, 'tenants' | 'otherTenants'> | null

  /** Limits of pools, by what was last read: worked out once for it. */
  #pools: { readonly rules: PoolRules; readonly limits: Readonly<Record<string, number>> } = {
    rules: noPoolRules,
    limits: {},
  }

  constructor(dependencies: LimitsDependencies) {
    this.#dependencies = dependencies
    this.#steps = this.#stepsOfTenants()
  }

  tenantRuns(tenant: string): number | null {
    const own = this.#tenants.get(tenant)?.runs
    return own === undefined ? limitOrNull(this.#dependencies.settings.tenantConcurrentRunsMax) : own
  }

  leavesAlone(pool: string): boolean {
    return this.#steps === null && !Object.hasOwn(this.#poolLimits(), pool)
  }

  ofClaims(): ClaimLimits | null {
    const pools = this.#poolLimits()
    if (this.#steps === null && Object.keys(pools).length === 0) return null
    return { pools, ...(this.#steps ?? { tenants: {}, otherTenants: null }) }
  }

  current(plan: PermitPlan): PermitPlan {
    return { ...plan, permits: plan.permits.flatMap((permit) => this.#currentPermit(permit)) }
  }

  async refresh(): Promise<void> {
    const { store, partition } = this.#dependencies
    const register = await store.load(partition, 'register', { key: tenantsRegister })
    this.#tenants = readTenantLimits(register?.value)
    this.#steps = this.#stepsOfTenants()
  }

  #poolLimits(): Readonly<Record<string, number>> {
    const rules = this.#dependencies.pools()
    if (rules !== this.#pools.rules) {
      const limited = Object.entries(rules.pools).flatMap(([name, { limit }]) =>
        limit === null ? [] : [[name, limit] as const],
      )
      this.#pools = { rules, limits: Object.fromEntries(limited) }
    }
    return this.#pools.limits
  }

  #stepsOfTenants(): Pick<ClaimLimits, 'tenants' | 'otherTenants'> | null {
    const otherTenants = limitOrNull(this.#dependencies.settings.tenantConcurrentJobsMax)
    const own = [...this.#tenants].flatMap(([tenant, { jobs }]) =>
      jobs === undefined ? [] : [[tenant, jobs]],
    )
    if (otherTenants === null && own.length === 0) return null
    return { tenants: Object.fromEntries(own) as ClaimLimits['tenants'], otherTenants }
  }

  #currentPermit(permit: Permit): readonly Permit[] {
    const { key } = permit
    const name = key.slice(key.indexOf(':') + 1)
    if (key === tenantRunsPermitKey(name)) return withLimit(permit, this.tenantRuns(name))
    if (key === poolPermitKey(name)) return withLimit(permit, this.#poolLimits()[name] ?? null)
    if (key !== tenantPermitKey(name)) return [permit]
    const steps = this.#steps
    const own = steps === null || !Object.hasOwn(steps.tenants, name) ? undefined : steps.tenants[name]
    return withLimit(permit, own === undefined ? (steps?.otherTenants ?? null) : own)
  }
}

/** The settings say 0 for no limit. */
const limitOrNull = (setting: number): number | null => (setting === 0 ? null : setting)

const withLimit = (permit: Permit, limit: number | null): readonly Permit[] =>
  limit === null ? [] : [{ ...permit, limit }]
