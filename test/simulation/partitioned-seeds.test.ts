/** Seeds on a store of four partitions, where a process may die between two calls of one operation. */

import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { playSeeds, toldOf } from './campaign.ts'
import { simulate } from './simulate.ts'
import { partitionedOf } from './stores.ts'

test('seeds 1851 to 2000 on four partitions keep every invariant and end every run', async () => {
  const { bad } = await playSeeds({
    store: 'memory in four partitions',
    from: 1_851,
    to: 2_000,
    replayEvery: 50,
  })
  expect(bad.map(toldOf)).toEqual([])
})

const seedsMax = 500

/** The seed that notices what is wrong with the partitions, by one of the invariants; null for none. */
async function noticedBy(
  invariant: string,
  broken: (raw: RawStore) => Partial<RawStore>,
): Promise<number | null> {
  for (let seed = 1; seed <= seedsMax; seed += 1) {
    const openStore = async () => {
      const raw = createMemoryStore({ partitions: 4 })
      return partitionedOf({ ...raw, ...broken(raw) })
    }
    const { violations } = await simulate(seed, { openStore })
    if (violations.some((text) => text.startsWith(`${invariant} `))) return seed
  }
  return null
}

test('notices that permits of other partitions are not counted', async () => {
  const seed = await noticedBy('I20', () => ({ takeSlots: async () => ({ kind: 'taken', fresh: [] }) }))
  expect(seed).not.toBeNull()
})

test('notices that permits are never given back to their home', async () => {
  const seed = await noticedBy('I11', () => ({ releaseSlots: async () => undefined }))
  expect(seed).not.toBeNull()
})
