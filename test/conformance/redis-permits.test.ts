/** Permits of a Redis store that are told again without a limit, as the repair tells them. */

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import { accept, verifyHistory } from './scene.ts'
import { aRun, start, starting } from './story.ts'

test('a permit that was told again without a limit is counted like any other', async () => {
  const server = await startRedisServer()
  const store = await openRedisStore({
    nodes: [{ host: '127.0.0.1', port: server.port }],
    storeId: storeId('s'),
    partitions: 1,
    clock: systemClock,
    writerId: randomUUID(),
  })
  try {
    const take = (holder: string, limit: number) =>
      store.takeSlots(0, { takes: [{ key: 'k', holder, limit, expiresAt: null }], at: start })
    await take('a', Number.MAX_SAFE_INTEGER)
    expect(await take('b', 1)).toEqual({ kind: 'slot-taken', key: 'k', holders: ['a'] })
    expect(await take('b', 2)).toMatchObject({ kind: 'taken' })
    expect(await store.load(0, 'slotHolders', { key: 'k' })).toEqual([
      { key: 'k', holder: 'a', limit: Number.MAX_SAFE_INTEGER, expiresAt: null },
      { key: 'k', holder: 'b', limit: 2, expiresAt: null },
    ])
    await accept(store, starting(aRun()))
    await verifyHistory(store)
  } finally {
    await store.close()
    await server.kill()
  }
})
