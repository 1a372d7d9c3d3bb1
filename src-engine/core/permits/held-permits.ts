/** Permits follow ownership: taken where a status is owned, released in the checkpoint that leaves it. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant } from '../../model/time.ts'

export interface PermitWrites {
  readonly take: SlotTake[]
  readonly release: SlotRelease[]
}

/** Adds what the change of one record means for its permits. */
export function addPermitWrites(
  writes: PermitWrites,
  change: { readonly before: InvocationRecord | undefined; readonly after: InvocationRecord },
  at: Instant,
): void {
  const { before, after } = change
  const held = heldKeys(before)
  const kept = heldKeys(after)
  for (const key of held) if (!kept.includes(key)) writes.release.push({ key, holder: after.id })
  if (kept.length === 0 && !isOwned(after)) return
  for (const { key, limit, windowMs } of after.permits?.permits ?? []) {
    if (windowMs === null) {
      if (!held.includes(key)) writes.take.push({ key, holder: after.id, limit, expiresAt: null })
    } else if (before === undefined || !isOwned(before)) {
      const holder = `${after.id}:${after.fence?.counter ?? 0}`
      writes.take.push({ key, holder, limit, expiresAt: at + windowMs })
    }
  }
}

/** A rate permit counts until its time is over, however soon the work ends: it is never released. */
function heldKeys(record: InvocationRecord | undefined): readonly string[] {
  if (record === undefined || record.permits === null || !isOwned(record)) return []
  return record.permits.permits.filter(({ windowMs }) => windowMs === null).map(({ key }) => key)
}

const isOwned = ({ status }: InvocationRecord): boolean => {
  const row = invocationMachine.table.rows[status]
  return row.acquires === true || row.requires === true
}
