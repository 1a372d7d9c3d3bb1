/** The stores that the simulator plays on: all that answer within the process. */

import { storeId } from '../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../src-engine/store/partitioned/partitioned-store.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-engine/store/store.ts'

/** By name; each gives an empty store. */
export const simulationStores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  'memory in four partitions': async () => createPartitionedStore(createMemoryStore({ partitions: 4 })),
  sqlite: () =>
    openSqliteStore({
      directory: ':memory:',
      storeId: storeId('simulated'),
      clock: { now: () => 0, after: () => () => {} },
    }),
}
