/** The second half of the seeds on the memory store. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 826, to: 1_050 },
  { from: 1_051, to: 1_250 },
  { from: 1_251, to: 1_450 },
  { from: 1_451, to: 1_650 },
])('seeds $from to $to on memory keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'memory', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
