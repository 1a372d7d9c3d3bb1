/** Blobs on a Redis server: what is left of a crash, and a sweep that meets somebody who puts the same again. */

import { afterEach, expect, test } from 'vitest'
import type { Instant } from '../../src-engine/model/time.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { createRedisBlobs } from '../../src-engine/store/redis/redis-blobs.ts'
import { openAccess } from '../../src-engine/store/redis/redis-options.ts'
import type { Router } from '../../src-engine/store/redis/router.ts'
import { openRouter } from '../../src-engine/store/redis/router.ts'
import { createTags } from '../../src-engine/store/redis/tokens.ts'
import { startRedisServer } from '../support/redis-servers.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Blobs whose commands can be looked at before they are sent, and others as they are; the time is told. */
async function scene() {
  const server = await startRedisServer()
  cleanUps.push(server.kill)
  const nodes = [{ host: '127.0.0.1', port: server.port }]
  const times = { clock: systemClock, commandMs: 2_000, patienceMs: 2_000 }
  const router = await openRouter({ nodes, access: openAccess, ...times })
  cleanUps.push(() => router.close())
  const at = { now: 1_000 as Instant }
  const clock = { ...systemClock, now: () => at.now }
  const watched = { before: async (_name: string, _args: readonly unknown[]): Promise<void> => undefined }
  const slowed: Pick<Router, 'ask'> = {
    ask: async (slot, command, how) => {
      await watched.before(command[0], command)
      return router.ask(slot, command, how)
    },
  }
  const place = (one: Pick<Router, 'ask'>, name: string) =>
    createRedisBlobs({ router: one, prefix: 'p', clock, nextTag: createTags(name) })
  const stored = (): Promise<number> => server.admin.dbsize()
  return { blobs: place(slowed, 'a'), others: place(router, 'b'), at, watched, stored }
}

const bytes = new Uint8Array(1_200_000).fill(7)
const nothingNamed = (): boolean => false

test('what a crash left half written is swept, all of it', async () => {
  const { blobs, watched, stored } = await scene()
  let pieces = 0
  watched.before = async (name, [, key]) => {
    if (name === 'SET' && /:\d+$/.test(String(key)) && (pieces += 1) > 2) throw new Error('killed')
  }
  await expect(blobs.put(bytes)).rejects.toThrow('killed')
  watched.before = async () => undefined
  expect(await stored()).toBeGreaterThan(2)
  expect(await blobs.sweep(2_000, nothingNamed)).toBe(1)
  expect(await stored()).toBe(0)
})

test('what is put again while it is swept stays, and is swept when it is old again', async () => {
  const { blobs, others, at, watched, stored } = await scene()
  const name = await blobs.put(bytes)
  at.now = 5_000
  let met = false
  watched.before = async (command) => {
    // The sweep has seen that it is old, and is about to remove it.
    if (met || !(command === 'UNLINK' || command.startsWith('EVAL'))) return
    met = true
    await others.put(bytes)
  }
  await blobs.sweep(2_000, nothingNamed)
  expect(met).toBe(true)
  expect((await others.get(name)).byteLength).toBe(bytes.byteLength)
  expect(await others.sweep(4_000, nothingNamed)).toBe(0)
  expect(await others.sweep(6_000, nothingNamed)).toBe(1)
  expect(await stored()).toBe(0)
})

test('a blob that is being written again by another is there all the time', async () => {
  const { blobs, others, watched } = await scene()
  let name: Awaited<ReturnType<typeof others.put>> | null = null
  watched.before = async (command) => {
    // It has found nothing, and is about to write the first piece.
    if (command === 'SET' && name === null) name = await others.put(bytes)
    if (name !== null) expect((await others.get(name)).byteLength).toBe(bytes.byteLength)
  }
  await blobs.put(bytes)
  expect(name).not.toBeNull()
})
