/** Engines in virtual time on Redis: each has connections of its own, as processes have. */

import { randomUUID } from 'node:crypto'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { redisServers } from './redis-stores.ts'
import { verifyHistory } from './scene.ts'

/** A store with data of its own, which engines reach in their own ways. */
export interface EngineStore {
  /** The test's own connection. */
  readonly store: Store
  readonly connect: () => Promise<Store>
  /** Checks that the history says what the records say, then closes every connection. */
  readonly close: () => Promise<void>
}

/** Servers that are started when they are asked for. */
type Servers = ReturnType<typeof redisServers>

export interface EngineSubject {
  readonly name: string
  readonly open: () => Promise<EngineStore>
}

/** The product's store on one server. */
export const onOneServer = ({ single }: Pick<Servers, 'single'>): EngineSubject => {
  return { name: 'redis', open: async () => opened((await single()).servers) }
}

/** The same on a cluster whose replicas confirm every write, and where all else is done that one server does. */
export const onCluster = ({ cluster }: Pick<Servers, 'cluster'>): EngineSubject => {
  return { name: 'redis on a cluster', open: async () => opened((await cluster()).servers.slice(0, 2)) }
}

/** Both. */
export const engineSubjects = (servers: Servers): readonly EngineSubject[] => [
  onOneServer(servers),
  onCluster(servers),
]

async function opened(
  servers: readonly { readonly host: string; readonly port: number }[],
): Promise<EngineStore> {
  const prefix = `test-${randomUUID()}`
  const stores: Store[] = []
  const connect = async (): Promise<Store> => {
    // Scenes count the ids of their runs, of which no tail may be chosen: runs begin where their ids say.
    const { beginIn: _, ...store } = await storeCatalogue.redis({
      nodes: servers.map(({ host, port }) => ({ host, port })),
      prefix,
      storeId: storeId(prefix),
      partitions: 4,
      durability: 'as-served',
      // The engines' time is made up; what servers may take to answer is not.
      leaseTime: 'callers',
      clock: systemClock,
      writerId: randomUUID(),
    })
    stores.push(store)
    return store
  }
  const store = await connect()
  return {
    store,
    connect,
    async close() {
      await verifyHistory(store)
      for (const one of stores) await one.close()
    },
  }
}
