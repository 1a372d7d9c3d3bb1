/** What the simulator itself must be: decided by its seed, full of faults, and not all failures. */

import { expect, test } from 'vitest'
import { playSeeds, storeOf } from './campaign.ts'
import { faultNames } from './scenario.ts'
import { simulate } from './simulate.ts'

const memory = storeOf('memory')

test.for([{ seed: 3 }, { seed: 58 }, { seed: 101 }])(
  'seed $seed tells the same story twice',
  async ({ seed }) => {
    const first = await simulate(seed, { openStore: memory })
    const second = await simulate(seed, { openStore: memory })
    expect(second).toEqual(first)
  },
)

test('a seed plays without the faults that are taken from it', async () => {
  const { scenario, faults } = await simulate(7, { openStore: memory, without: faultNames })
  expect(Object.values(scenario.faults)).not.toContain(true)
  for (const name of ['crash', 'pause', 'clock jump', 'full disk', 'slow store', 'stop', 'sleep'])
    expect(faults[name]).toBeUndefined()
})

test('all faults really happen, and people do all they can', async () => {
  const { faults, runs } = await playSeeds({ store: 'memory', from: 1, to: 60, replayEvery: 0 })
  expect(runs).toBeGreaterThan(150)
  expect(Object.keys(faults)).toEqual(
    expect.arrayContaining([
      'crash',
      'pause',
      'clock jump',
      'full disk',
      'slow store',
      'stop',
      'sleep',
      'run cancel',
      'run pause',
      'run skip',
      'run rerun',
      'run retry',
      'run replay',
      'signal',
    ]),
  )
})
