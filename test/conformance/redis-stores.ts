/** The store on Redis: on one server, and on a cluster of three masters with a replica each. */

import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import type { RedisOptions } from '../../src-engine/store/redis/redis-options.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
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

/** A store with data of its own on servers that it shares with others. */
function subjectOn(
  name: string,
  serversOf: () => Promise<RedisServers>,
  set: Partial<RedisOptions> = {},
): StoreSubject {
  return {
    name,
    async open() {
      const { servers } = await serversOf()
      const { clock, fire } = stillClock()
      const prefix = `test-${randomUUID()}`
      const connect = (writerId: string) =>
        openRedisStore({
          nodes: servers.slice(0, 2).map(({ host, port }) => ({ host, port })),
          prefix,
          storeId: storeId(prefix),
          partitions: 4,
          clock,
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
          fire()
          // What a store asks later is answered later: both have looked when these are answered.
          await Promise.all([store, other].map((item) => item.load(0, 'feedEnd', {})))
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

/** The subjects; call it where the tests are told, for it stops what they start. */
export function redisStores(): readonly StoreSubject[] {
  const single = sharedServers(() => startRedis())
  const cluster = sharedServers(() => startRedisCluster())
  return [
    subjectOn('redis', single),
    subjectOn('redis on a cluster, safe mode', cluster, { durability: 'safe' }),
  ]
}
