/** Seeds on real SQL in memory: slower by far, so there are fewer of them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 1_651, to: 1_750 },
  { from: 1_751, to: 1_850 },
])('seeds $from to $to on SQLite keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'sqlite', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
