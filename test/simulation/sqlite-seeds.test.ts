/** Seeds on real SQL in memory: slower by far, so there are fewer of them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test.for([
  { from: 1, to: 100 },
  { from: 101, to: 200 },
])('seeds $from to $to on SQLite keep every invariant and end every run', async ({ from, to }) => {
  const { bad } = await playSeeds({ store: 'sqlite', from, to, replayEvery: 50 })
  expect(bad.map(toldOf)).toEqual([])
})
