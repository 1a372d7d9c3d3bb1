/** The first half of the seeds on the memory store; in a file of its own, so that two cores share them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 1, to: 250 },
  { from: 251, to: 500 },
  { from: 501, to: 750 },
  { from: 751, to: 1_000 },
])('seeds $from to $to on memory keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'memory', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
