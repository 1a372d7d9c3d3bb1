/** The stores that the simulator plays on: all that answer within the process. */

import type { PartitionCursor } from '../../src-engine/model/event.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { readInOrder } from '../support/read-events.ts'

/** Each process puts the partitions together for itself. */
const raws = new WeakMap<Store, RawStore>()

/** The partitions that a store was put together from; null for one that was not. */
export const rawBehind = (store: Store): RawStore | null => raws.get(store) ?? null

/** The whole, whose processes each make their own of the same partitions. */
export function partitionedOf(raw: RawStore): Store {
  const ends: Promise<PartitionCursor>[] = []
  const noted = <Answer>(partition: number, answer: Promise<Answer>): Promise<Answer> => {
    // It was written when the call returned: the end of the feed is the one of this write.
    ends.push(raw.load(partition, 'feedEnd', {}))
    return answer
  }
  const watched: RawStore = {
    ...raw,
    commit: (partition, checkpoints) => noted(partition, raw.commit(partition, checkpoints)),
    claim: (request) => noted(request.partition, raw.claim(request)),
  }
  const store = createPartitionedStore(watched)
  raws.set(store, watched)
  readInOrder(store, ends)
  return store
}

/** By name; each gives an empty store. */
export const simulationStores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  'memory in four partitions': async () => partitionedOf(createMemoryStore({ partitions: 4 })),
  sqlite: () =>
    openSqliteStore({
      directory: ':memory:',
      storeId: storeId('simulated'),
      clock: { now: () => 0, after: () => () => {} },
    }),
}
