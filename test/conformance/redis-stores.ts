/** The store on Redis: on one server, and on a cluster of three masters with a replica each. */

import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { RedisOptions } from '../../src-engine/store/redis/redis-options.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RedisServers } from '../support/redis-servers.ts'
import { startRedis, startRedisCluster } from '../support/redis-servers.ts'
import type { StoreSubject } from './scene.ts'
import { start } from './story.ts'

/** Servers that are started when the first test asks for them, and stopped after the last one of the file. */
function sharedServers(startThem: () => Promise<RedisServers>): () => Promise<RedisServers> {
  let servers: Promise<RedisServers> | null = null
  afterAll(async () => {
    await (await servers)?.stop()
  })
  return () => {
    servers ??= startThem()
    return servers
  }
}

/** A still clock, whose timers fire when a test says so. */
function stillClock() {
  const timers = new Set<() => void>()
  const clock: RedisOptions['clock'] = {
    now: () => start,
    after(_, call) {
      timers.add(call)
      return () => timers.delete(call)
    },
  }
  const fire = (): void => {
    const due = [...timers]
    timers.clear()
    for (const call of due) call()
  }
  return { clock, fire }
}

interface SubjectParts {
  readonly name: string
  readonly serversOf: () => Promise<RedisServers>
  readonly openStore: (options: RedisOptions) => Promise<Store>
  readonly set?: Partial<RedisOptions>
}

/** A store with data of its own on servers that it shares with others. */
function subjectOn({ name, serversOf, openStore, set = {} }: SubjectParts): StoreSubject {
  return {
    name,
    async open() {
      const { servers } = await serversOf()
      const { clock, fire } = stillClock()
      const prefix = `test-${randomUUID()}`
      const connect = (writerId: string) =>
        openStore({
          nodes: servers.slice(0, 2).map(({ host, port }) => ({ host, port })),
          prefix,
          storeId: storeId(prefix),
          partitions: 4,
          clock,
          leaseTime: 'callers',
          writerId,
          ...set,
        })
      const store = await connect('a')
      const other = await connect('b')
      const open = new Set([store, other])
      const closeAll = async (): Promise<void> => {
        for (const item of open) await item.close()
      }
      return {
        store,
        other,
        async poll() {
          // What a store asks later is answered later: it has looked when these are answered.
          const answered = () =>
            Promise.all(
              [store, other].flatMap((item) =>
                item.info.partitions.map((partition) => item.load(partition, 'feedEnd', {})),
              ),
            )
          // Deadlines are timers too: nothing may be under way, be it a script that is sent again as its text.
          await answered()
          await answered()
          fire()
          await answered()
        },
        async reopen() {
          await closeAll()
          const again = await connect('c')
          open.add(again)
          return again
        },
        dispose: closeAll,
      }
    },
  }
}

/** Servers of a test file; call it where the tests are told, for it stops what they start. */
export function redisServers() {
  return { single: sharedServers(() => startRedis()), cluster: sharedServers(() => startRedisCluster()) }
}

type Servers = ReturnType<typeof redisServers>

/** Each partition as a store of its own. */
export const redisStores = ({ single, cluster }: Servers): readonly StoreSubject[] => [
  subjectOn({ name: 'redis', serversOf: single, openStore: openRedisStore }),
  subjectOn({
    name: 'redis on a cluster, safe mode',
    serversOf: cluster,
    openStore: openRedisStore,
    set: { durability: 'safe' },
  }),
]

/** All partitions as the one store that the product opens. */
export const partitionedRedisStores = ({ single, cluster }: Servers): readonly StoreSubject[] => {
  const openStore = (options: RedisOptions) => storeCatalogue.redis({ ...options, wholeLookMs: 0 })
  return [
    subjectOn({ name: 'redis, all partitions', serversOf: single, openStore }),
    subjectOn({ name: 'redis on a cluster, all partitions', serversOf: cluster, openStore }),
  ]
}
