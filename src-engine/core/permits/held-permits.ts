/**
 * Permits follow statuses: taken in the checkpoint that enters one of those in which they are held, released
 * in the checkpoint that leaves the last of them.
 */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, Permit } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant } from '../../model/time.ts'
import { standsFor } from './demand.ts'
import { isInsidePermit } from './node-permits.ts'

export interface PermitWrites {
  readonly take: SlotTake[]
  readonly release: SlotRelease[]
}

/** What a record holds for as long as its status says so. */
type Held = Pick<SlotTake, 'key' | 'limit'>

/** Adds what the change of one record means for its permits. */
export function addPermitWrites(
  writes: PermitWrites,
  change: { readonly before: InvocationRecord | undefined; readonly after: InvocationRecord },
  at: Instant,
): void {
  const { before, after } = change
  const held = before === undefined ? [] : heldBy(before)
  const kept = heldBy(after)
  for (const { key } of held) {
    if (!kept.some((other) => other.key === key)) writes.release.push({ key, holder: after.id })
  }
  for (const { key, limit } of kept) {
    if (held.some((other) => other.key === key)) continue
    writes.take.push({ key, holder: after.id, limit, expiresAt: null })
  }
  if (!isOwned(after)) return
  // Those that depend on its parameters are asked for when it is claimed already.
  const asked = before !== undefined && isOwned(before) ? (before.permits?.permits ?? []) : []
  // A rate permit counts until its time is over, however soon the work ends: it is never released.
  for (const { key, limit, windowMs } of after.permits?.permits ?? []) {
    if (windowMs === null || asked.some((other) => other.key === key)) continue
    const holder = `${after.id}:${after.fence?.counter ?? 0}`
    writes.take.push({ key, holder, limit, expiresAt: at + windowMs })
  }
}

function heldBy(record: InvocationRecord): readonly Held[] {
  const { permits, wait } = record
  if (permits === null) return []
  const held: Held[] = isOwned(record) ? permits.permits.filter(isHeldByStatus) : []
  const demand = standsFor(record)
  if (demand !== null) held.push({ key: demand, limit: 1 })
  if (wait?.kind === 'reuse') held.push({ key: reuseKey(wait.invocationId), limit: unlimited })
  return held
}

/** What is held over a body is held by more than the record's own status. */
const isHeldByStatus = ({ key, windowMs }: Permit): boolean => windowMs === null && !isInsidePermit(key)

const unlimited = Number.MAX_SAFE_INTEGER

const reusePrefix = 'reuse:'

/** The counted set of everybody who waits for the result of this invocation: a list, not a limit. */
export const reuseKey = (id: InvocationId): string => `${reusePrefix}${id}`

/** The invocation whose result the holders of the key wait for; null for every other key. */
export const reusedOf = (key: string): InvocationId | null =>
  key.startsWith(reusePrefix) ? (key.slice(reusePrefix.length) as InvocationId) : null

const isOwned = ({ status }: InvocationRecord): boolean => invocationMachine.owned.has(status)
