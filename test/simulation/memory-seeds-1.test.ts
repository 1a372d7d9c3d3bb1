/** The first half of the seeds on the memory store; in a file of its own, so that two cores share them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test('seeds 1 to 1,000 on memory keep every invariant and end every run', async () => {
  const { bad } = await playSeeds({ store: 'memory', from: 1, to: 1_000, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
