/** Seeds on partitions with replicas, as a cluster in its safe mode: failovers take back what nobody was told of. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'
import type { Failovers } from './failovers.ts'
import { createFailovers } from './failovers.ts'
import { simulate } from './simulate.ts'
import { replicatedOf } from './stores.ts'

const store = 'memory in four partitions with failovers'

test('seeds 1 to 40 lose nothing that was acknowledged to failovers, and end every run', async () => {
  const { bad, faults } = await playSeeds({ store, from: 1, to: 40, replayEvery: 20 })
  expect(bad.map(toldOf)).toEqual([])
  // Each had writes that its replica had not.
  expect(faults['failover'] ?? 0).toBeGreaterThan(20)
})

const seedsMax = 100

/** What the first seed that notices it says is wrong; null for none. */
async function noticed(broken: (failovers: Failovers) => Partial<Failovers>): Promise<string | null> {
  for (let seed = 1; seed <= seedsMax; seed += 1) {
    const openStore = async () => {
      const failovers = createFailovers()
      return replicatedOf(Object.assign(failovers, broken(failovers)))
    }
    const { violations } = await simulate(seed, { openStore })
    const [first] = violations
    if (first !== undefined) return first
  }
  return null
}

test('notices that writes are acknowledged before a replica has them', async () => {
  expect(await noticed(() => ({ answer: async (_, first) => first }))).not.toBeNull()
})
