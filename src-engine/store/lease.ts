/** What a commit and a renewal agree on about leases. */

import { sameFence } from '../model/fence.ts'
import type { InvocationRecord, Lease } from '../model/invocation.ts'
import type { InvocationHead } from './invocation-chain.ts'

/**
 * A renewal isn't part of a record's version, so an owner's checkpoint may carry an older expiry than the
 * store has: a write under the same fence never shortens the lease.
 */
export function keepLongerLease(record: InvocationRecord, before: InvocationHead | null): InvocationRecord {
  const { lease } = record
  const held = before?.lease ?? null
  if (lease === null || held === null || !sameFence(lease.fence, held.fence)) return record
  return held.expiresAt > lease.expiresAt ? { ...record, lease: held } : record
}

/** Whether a renewal for this lease is still the owner's. */
export const stillHeld = (held: Lease | null, claimed: Pick<Lease, 'runnerId' | 'fence'>): boolean =>
  held !== null && held.runnerId === claimed.runnerId && sameFence(held.fence, claimed.fence)
