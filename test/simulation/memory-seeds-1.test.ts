/** The first half of the seeds on the memory store; in a file of its own, so that two cores share them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 1, to: 200 },
  { from: 201, to: 400 },
  { from: 401, to: 600 },
  { from: 601, to: 825 },
])('seeds $from to $to on memory keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'memory', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
