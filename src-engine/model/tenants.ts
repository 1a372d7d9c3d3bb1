/** Limits of tenants, as they are kept in a register: what a tenant has no word for, the settings say. */

import { isJsonObject } from './json.ts'

/** The register with the limits of single tenants. */
export const tenantsRegister = 'tenants'

/** Null is no limit; absent is what the settings say. */
export interface TenantLimit {
  /** Runs under way at once. */
  readonly runs?: number | null
  /** Steps at work at once. */
  readonly jobs?: number | null
}

/** Reads the register's value; what makes no sense in it counts as absent. */
export function readTenantLimits(value: unknown): ReadonlyMap<string, TenantLimit> {
  const limits = new Map<string, TenantLimit>()
  if (!isJsonObject(value)) return limits
  for (const [tenant, given] of Object.entries(value)) {
    if (!isJsonObject(given)) continue
    limits.set(tenant, { ...part('runs', given['runs']), ...part('jobs', given['jobs']) })
  }
  return limits
}

function part(name: keyof TenantLimit, value: unknown): TenantLimit {
  const isLimit = value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1)
  return isLimit ? { [name]: value } : {}
}
