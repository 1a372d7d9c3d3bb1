/** The permits of a run are held from its start to its end, whatever it does in between. */

import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { PermitWrites } from './held-permits.ts'

/** Adds what the change of a run means for its permits; `before` is null for a run that is made now. */
export function addRunPermitWrites(
  writes: PermitWrites,
  change: { readonly before: RunRecord | null; readonly after: RunRecord },
  at: Instant,
): void {
  const { before, after } = change
  const held = before !== null && holds(before)
  if (held === holds(after)) return
  // Who has an ended run go on decides that it does: it counts, but isn't refused.
  const isBack = before !== null && runMachine.final.has(before.status)
  for (const { key, limit, windowMs } of after.permits?.permits ?? []) {
    if (held) {
      if (windowMs === null) writes.release.push({ key, holder: after.id })
    } else if (windowMs === null) {
      const most = isBack ? Number.MAX_SAFE_INTEGER : limit
      writes.take.push({ key, holder: after.id, limit: most, expiresAt: null })
    } else if (!isBack) writes.take.push({ key, holder: after.id, limit, expiresAt: at + windowMs })
  }
}

const holds = ({ status }: RunRecord): boolean => status !== 'CREATED' && !runMachine.final.has(status)
