/** Keys of the permits that a claim adds: what they count depends on where and for whom the work is done. */

/** Steps at work in a pool, on all runners together. */
export const poolPermitKey = (pool: string): string => `pool:${pool}`

/** Steps at work for a tenant. */
export const tenantPermitKey = (tenant: string): string => `tenant:${tenant}`

/** Runs of a tenant that are under way. */
export const tenantRunsPermitKey = (tenant: string): string => `tenant-runs:${tenant}`

/** Whether a claim adds it, with the limit of that moment. */
export const isClaimsPermit = (key: string): boolean => key.startsWith('pool:') || key.startsWith('tenant:')

/** Whether it counts steps at work in a pool. */
export const isPoolPermit = (key: string): boolean => key.startsWith('pool:')
