/** What a store says of the loss of a server is what its servers can do. */

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { safetyText } from '../../src-engine/model/failover-safety.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { DurabilityWish } from '../../src-engine/store/redis/redis-options.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RedisServers } from '../support/redis-servers.ts'
import { startRedisServer, until } from '../support/redis-servers.ts'
import { redisServers } from './redis-stores.ts'
import { aRun, starting } from './story.ts'

const { single, cluster } = redisServers()

async function open({ servers }: RedisServers, durability: DurabilityWish): Promise<Store> {
  const store = await storeCatalogue.redis({
    nodes: servers.map(({ host, port }) => ({ host, port })),
    prefix: `test-${randomUUID()}`,
    storeId: storeId('s'),
    partitions: 4,
    clock: systemClock,
    writerId: randomUUID(),
    durability,
  })
  onTestFinished(() => store.close())
  return store
}

test('a single server without a replica is fast, says so, and writes', async () => {
  const store = await open(await single(), 'as-served')
  const { safety } = store.info
  expect(safety).toMatchObject({ mode: 'fast', why: 'no-replicas', alone: [expect.any(String)] })
  expect(safety && safetyText(safety)).toMatch(/^Fast, because no server has a replica/)
  const answers = await store.commit(0, [starting(aRun({ name: 'one' }))])
  expect(answers).toMatchObject([{ kind: 'accepted' }])
})

test('safe that was asked for is refused where nobody could confirm a write', async () => {
  await expect(open(await single(), 'safe')).rejects.toMatchObject({
    code: 'redis_no_replica',
    hint: expect.stringContaining('durability=safe') as string,
  })
})

test('a single server with a replica is safe', async () => {
  const [master] = (await single()).servers
  const { host, port } = master ?? { host: '', port: 0 }
  await master?.admin.config('SET', 'repl-diskless-sync-delay', '0')
  const replica = await startRedisServer({ replicaof: `${host} ${port}` })
  onTestFinished(replica.kill)
  await until('the replica is connected', async () =>
    ((await master?.admin.info('replication')) ?? '').includes('state=online'),
  )
  const store = await open(await single(), 'as-served')
  expect(store.info.safety).toEqual({ mode: 'safe', why: 'replicas', alone: [] })
})

test('a cluster with replicas is safe by itself, and fast when that is asked for', async () => {
  const servers = await cluster()
  const safe = await open(servers, 'as-served')
  expect(safe.info.safety).toEqual({ mode: 'safe', why: 'replicas', alone: [] })
  expect(await safe.commit(0, [starting(aRun({ name: 'one' }))])).toMatchObject([{ kind: 'accepted' }])
  expect((await open(servers, 'safe')).info.safety).toMatchObject({ mode: 'safe' })
  expect((await open(servers, 'fast')).info.safety).toMatchObject({ mode: 'fast', why: 'asked' })
})

test('a cluster that lacks one replica stays safe, and names the master that waits for it', async () => {
  const servers = await cluster()
  const [master, , , replica] = servers.servers
  await replica?.kill()
  await until('the master misses its replica', async () =>
    ((await master?.admin.info('replication')) ?? '').includes('connected_slaves:0'),
  )
  const { safety } = (await open(servers, 'as-served')).info
  expect(safety).toEqual({ mode: 'safe', why: 'replicas', alone: [`127.0.0.1:${master?.port}`] })
  expect(safety && safetyText(safety)).toContain('has no replica now')
})
