/** What the settings of this process say about tenants that have no limit of their own. */

import type { SettingReport } from '../model/settings/setting-report.ts'
import type { TenantLimit } from '../model/tenants.ts'

/** A setting of 0 is no limit; one that nobody knows says nothing. */
export function tenantLimitsOf(settings: readonly SettingReport[]): TenantLimit {
  const part = (key: keyof TenantLimit, name: string): TenantLimit => {
    const value = settings.find((setting) => setting.name === name)?.value
    return typeof value === 'number' ? { [key]: value === 0 ? null : value } : {}
  }
  return { ...part('runs', 'tenant_concurrent_runs_max'), ...part('jobs', 'tenant_concurrent_jobs_max') }
}
