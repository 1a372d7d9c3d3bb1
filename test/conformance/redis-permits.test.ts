/** Permits of a Redis store as one partition of many: told again by the repair, and taken before a claim. */

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import type { PreparedClaim } from '../../src-engine/store/store.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import { accept, theInvocation, verifyHistory } from './scene.ts'
import { aClaim, anInvocation, aRun, moving, start, starting } from './story.ts'
import { testTakers } from './takers.ts'

async function openOn(port: number): Promise<RawStore> {
  return openRedisStore({
    nodes: [{ host: '127.0.0.1', port }],
    storeId: storeId('s'),
    partitions: 1,
    clock: systemClock,
    writerId: randomUUID(),
  })
}

test('a permit that was told again without a limit is counted like any other', async () => {
  const server = await startRedisServer()
  const store = await openOn(server.port)
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

testTakers({
  name: 'redis',
  async open() {
    const server = await startRedisServer()
    const raw = await openOn(server.port)
    const dispose = async () => {
      await raw.close()
      await server.kill()
    }
    return { raw, dispose }
  },
})

test('what needs other permits than were taken for it is left alone, whatever was known of it [P3]', async () => {
  const server = await startRedisServer()
  const [store, other] = [await openOn(server.port), await openOn(server.port)]
  try {
    const run = aRun()
    const { id } = anInvocation(run, 'n')
    await accept(store, starting(run, [anInvocation(run, 'n')]))
    const permit = { key: 'k', limit: 1, windowMs: null }
    const permits = { permits: [permit], resolved: true, blockedSince: null, blockedBy: null }
    // The store that claims has seen it without a plan.
    await store.fetch(aClaim('a'))
    const waiting = moving(await theInvocation(other, id), ['WAITING', 'REROUTED'], { set: { permits } })
    await accept(other, waiting)
    const claimed = async (set: Partial<PreparedClaim>) => {
      const prepared = new Map([[id, { fence: null, takes: [], ...set }]])
      return (await store.claim(aClaim('a', { invocationIds: [id], prepared }))).claimed.length
    }
    const take = { key: 'k', holder: id, limit: 1, expiresAt: null }
    expect(await claimed({})).toBe(0)
    expect(await claimed({ takes: [take, { ...take, key: 'q' }] })).toBe(0)
    expect(await claimed({ takes: [take], fence: { epoch: 1, counter: 1 } })).toBe(0)
    await accept(
      other,
      moving(await theInvocation(other, id), ['WAITING', 'REROUTED'], { set: { permits: null } }),
    )
    expect(await claimed({})).toBe(1)
    await verifyHistory(store)
  } finally {
    await store.close()
    await other.close()
    await server.kill()
  }
})
