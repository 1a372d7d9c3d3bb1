/** The second half of the seeds on the memory store. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test('seeds 1,001 to 2,000 on memory keep every invariant and end every run', async () => {
  const { bad } = await playSeeds({ store: 'memory', from: 1_001, to: 2_000, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
