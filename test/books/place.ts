/** The store that the runners of a campaign work for: a data file, or a Redis server of its own. */

import { randomUUID } from 'node:crypto'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { startRedis, startRedisCluster } from '../support/redis-servers.ts'

export const storePlaces = ['sqlite', 'redis', 'cluster'] as const

export type StorePlace = (typeof storePlaces)[number]

export interface OpenPlace {
  /** For `--store` of a runner. */
  readonly address: string
  /** For who starts the runs; null for the data file of the directory. */
  readonly store: Store | null
  readonly close: () => Promise<void>
}

const workspace = 'books'
const partitions = 8

/** A place without anything in it. */
export async function openPlace(kind: StorePlace, directory: string): Promise<OpenPlace> {
  if (kind === 'sqlite') return { address: `sqlite:${directory}`, store: null, close: async () => undefined }
  const started = kind === 'redis' ? await startRedis() : await startRedisCluster()
  const nodes = started.servers.map(({ host, port }) => ({ host, port }))
  const store = await storeCatalogue.redis({
    nodes,
    prefix: workspace,
    storeId: storeId(workspace),
    partitions,
    durability: 'as-served',
    clock: systemClock,
    writerId: randomUUID(),
  })
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',')
  return { address: `redis://${hosts}/${workspace}`, store, close: started.stop }
}
