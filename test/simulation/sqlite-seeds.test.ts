/** Seeds on real SQL in memory: slower by far, so there are fewer of them. */

import { expect, test } from 'vitest'
import { playSeeds, toldOf } from './campaign.ts'

test('seeds 1 to 200 on SQLite keep every invariant and end every run', async () => {
  const { bad } = await playSeeds({ store: 'sqlite', from: 1, to: 200, replayEvery: 100 })
  expect(bad.map(toldOf)).toEqual([])
})
