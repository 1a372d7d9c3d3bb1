/** The stores by name. Each is loaded when it is opened, so that an unused one costs nothing. */

import type { MemoryOptions } from './memory/memory-store.ts'
import type { PartitionedOptions } from './partitioned/partitioned-store.ts'
import type { RedisOptions } from './redis/redis-options.ts'
import type { SqliteOptions } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

/** Opens the store of each name. */
export const storeCatalogue = {
  async memory(options: MemoryOptions): Promise<Store> {
    const { createMemoryStore } = await import('./memory/memory-store.ts')
    return createMemoryStore(options)
  },
  async sqlite(options: SqliteOptions): Promise<Store> {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
    return openSqliteStore(options)
  },
  async redis(options: RedisOptions & PartitionedOptions): Promise<Store> {
    const { openRedisStore } = await import('./redis/redis-store.ts')
    const { createPartitionedStore } = await import('./partitioned/partitioned-store.ts')
    return createPartitionedStore(await openRedisStore(options), options)
  },
} as const
