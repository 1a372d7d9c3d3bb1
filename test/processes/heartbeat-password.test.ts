/** The heartbeat's thread on a cluster whose password is rotated while it works. */

import { expect, test } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import type { HeartbeatNews } from '../../src-engine/runtime/heartbeat-driver.ts'
import { createThreadHeartbeat } from '../../src-engine/runtime/heartbeat-thread.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { openAccess } from '../../src-engine/store/redis/redis-options.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import { aRunner } from '../conformance/story.ts'
import { startRedisServer } from '../support/redis-servers.ts'

test('goes on with the new password when the old one has ended', async () => {
  const server = await startRedisServer()
  await server.admin.config('SET', 'requirepass', 'first')
  let password = 'first'
  const store = await openRedisStore({
    nodes: [{ host: server.host, port: server.port }],
    access: { ...openAccess, password: async () => password },
    storeId: storeId('s'),
    partitions: 1,
    clock: systemClock,
    writerId: 'w',
  })
  try {
    const address = store.info.renewer
    if (address === null) throw new Error('a cluster can be reached from a thread')
    const news: HeartbeatNews[] = []
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const make = createThreadHeartbeat({ address, store, partition: 0, clock: systemClock, log })
    const times = { claimTtlMs: 60_000, stallLimitMs: 60_000, intervalMs: 50 }
    const driver = make(times, (told) => void news.push(told))
    const held = { runner: aRunner('a'), leases: [] }
    const renewals = (): number => {
      driver.progress(held)
      return news.filter(({ kind }) => kind === 'renewed').length
    }
    driver.start(held)
    await expect.poll(renewals).toBeGreaterThan(2)
    password = 'second'
    await server.admin.config('SET', 'requirepass', 'second')
    await server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    const before = renewals()
    await expect.poll(renewals).toBeGreaterThan(before + 2)
    await driver.stop()
  } finally {
    await store.close()
    await server.kill()
  }
})
