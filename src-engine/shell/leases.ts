/** How long the claims of steps still last. */

import type { InvocationId } from '../model/ids.ts'
import { runIdOf } from '../model/ids.ts'
import type { Instant } from '../model/time.ts'
import type { LeaseLeft } from '../protocol/watching.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import type { Store } from '../store/store.ts'

/** Those of the steps that somebody has. */
export async function leasesLeft(
  store: Store,
  invocationIds: readonly InvocationId[],
  now: Instant,
): Promise<readonly LeaseLeft[]> {
  const records = await Promise.all(
    invocationIds.map((invocationId) =>
      store.load(partitionOfRun(store.info, runIdOf(invocationId)), 'invocation', { invocationId }),
    ),
  )
  return records.flatMap((record) => {
    if (record === null || record.lease === null) return []
    const { runnerId, expiresAt } = record.lease
    return [{ invocationId: record.id, runnerId, leftMs: Math.max(0, expiresAt - now) }]
  })
}
