/** What can be asked and said about tenants. */

/** How much of something a tenant has, and may have, at once. */
export interface TenantUse {
  /** Null for no limit. */
  readonly limit: number | null
  /** Whether it is the tenant's own limit, and not what the settings say of all. */
  readonly isOwn: boolean
  /** Counted while there is a limit. */
  readonly taken: number
  readonly waiting: number
}

/** A tenant as it is now. */
export interface TenantView {
  readonly name: string
  /** Runs under way. */
  readonly runs: TenantUse
  /** Steps at work. */
  readonly jobs: TenantUse
}

/** Null is no limit, `settings` what the settings say; what is absent stays as it is. */
export interface TenantChange {
  readonly name: string
  readonly runs?: number | null | 'settings' | undefined
  readonly jobs?: number | null | 'settings' | undefined
}
