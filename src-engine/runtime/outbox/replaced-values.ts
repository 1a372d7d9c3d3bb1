/**
 * Values that are not to stay, and that no record names any more: what a step was called with before it was tried again, or what
 * was taken out of what it gave. Only the history still tells of them.
 */

import { noteFleeting } from '../../core/forgetting.ts'
import type { BlobHash } from '../../model/ids.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'

export async function replacedValues(
  store: Pick<Store, 'info' | 'load' | 'readEvents'>,
  run: RunRecord,
): Promise<readonly BlobHash[]> {
  const { id: runId } = run
  const partition = partitionOfRun(store.info, runId)
  const told = new Set<BlobHash>()
  for (let after = { partition, epoch: 0, seq: 0 }; ; ) {
    const events = await store.readEvents({ after, runId, until: null, limit: eventBatchMax })
    for (const { body } of events) noteFleeting(body, told)
    const last = events.at(-1)
    if (last === undefined || events.length < eventBatchMax) break
    after = { partition, epoch: last.epoch, seq: last.seq }
  }
  const named = new Set<BlobHash>()
  noteFleeting([run, ...(await store.load(partition, 'invocations', { runId }))], named)
  return [...told].filter((hash) => !named.has(hash))
}
