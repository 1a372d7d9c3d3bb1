/** Runner processes on one data file, killed every second under load; `runners-campaign.ts` is the long form. */

import { expect, test } from 'vitest'
import { playCrew } from './runners-crew.ts'

test('with a runner killed every second, nothing is lost and nothing recorded twice', async () => {
  const { kills, runs, problems } = await playCrew({
    runners: 3,
    forMs: 8_000,
    killEveryMs: 1_000,
    killsMin: 4,
    runsOpen: 4,
    seed: 'short',
  })
  expect(problems).toEqual([])
  expect([kills >= 4, runs >= 4]).toEqual([true, true])
})
