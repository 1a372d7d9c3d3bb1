/** The second half of the seeds on the memory store. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 1_001, to: 1_250 },
  { from: 1_251, to: 1_500 },
  { from: 1_501, to: 1_750 },
  { from: 1_751, to: 2_000 },
])('seeds $from to $to on memory keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'memory', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
