/** Whether an effect is still to be brought about. */

import type { OutboxRecord } from '../../model/checkpoint.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Store } from '../../store/store.ts'

/** Whether one of those that a partition's outbox holds, due or not, is meant. */
export async function hasEffect(
  { store, partition }: { readonly store: Pick<Store, 'list'>; readonly partition: number },
  isMeant: (record: OutboxRecord) => boolean,
): Promise<boolean> {
  const filter = { dueBefore: Number.MAX_SAFE_INTEGER }
  for (let after: string | null = null; ; ) {
    const page: readonly OutboxRecord[] = await store.list(partition, 'outbox', {
      filter,
      page: { after, limit: pageSizeMax },
    })
    if (page.some(isMeant)) return true
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return false
  }
}
