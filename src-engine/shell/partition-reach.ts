/** Which partitions of a store answer, for whoever looks at lists over all of them. */

import type { PartitionReach } from '../model/missing-partition.ts'
import type { Store } from '../store/store.ts'

/** Null where everything is one partition, or none is ever away. */
export function partitionReach(store: Pick<Store, 'info' | 'list' | 'missing'>): PartitionReach | null {
  const missing = store.missing?.()
  if (missing === undefined) return null
  const partitions = store.info.partitions.length
  // Nobody else may be asking now: what is away, and what is back, is noticed by asking.
  const page = { after: null, limit: 1 }
  const filter = { statuses: null, workflowId: null, includeCore: true }
  store.list(store.info.partitions[0] ?? 0, 'runs', { filter, page }).catch(() => undefined)
  return partitions === 1 ? null : { partitions, missing }
}
