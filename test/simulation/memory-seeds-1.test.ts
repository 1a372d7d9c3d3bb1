/** The first half of the seeds on the memory store; in a file of its own, so that two cores share them. */

import { expect, test } from 'vitest'
import type { Tally } from './campaign.ts'
import { playSeeds, toldOf } from './campaign.ts'

interface Range {
  readonly from: number
  readonly to: number
}

const firstOnes: Range = { from: 1, to: 200 }
const tallies = new Map<Range, Promise<Tally>>()

/** Played by whoever asks first. */
function played(range: Range): Promise<Tally> {
  const tally = tallies.get(range) ?? playSeeds({ store: 'memory', ...range, replayEvery: 50 })
  tallies.set(range, tally)
  return tally
}

test.for([firstOnes, { from: 201, to: 400 }, { from: 401, to: 600 }, { from: 601, to: 825 }])(
  'seeds $from to $to on memory keep every invariant and end every run',
  async (range) => {
    const { bad } = await played(range)
    expect(bad.map(toldOf)).toEqual([])
  },
)

test('all faults really happen, and people do all they can', async () => {
  const { faults, runs, answers, moves } = await played(firstOnes)
  expect(runs).toBeGreaterThan(500)
  // I35: each way to be refused is met, and yet most of what is asked is done.
  const { accepted = 0, ...refused } = answers
  expect(Object.keys(refused)).toEqual(expect.arrayContaining(['lost-race', 'slot-taken', 'not-the-owner']))
  expect(accepted).toBeGreaterThan(Object.values(refused).reduce((sum, count) => sum + count, 0))
  // Programs stand still and go on, doubts are put before a person, results are taken over.
  expect(Object.keys(moves)).toEqual(
    expect.arrayContaining([
      'RUNNING > PAUSED',
      'PAUSED > RESUMED',
      'RESUMED > SUCCESS',
      'PENDING > PENDING_RECOVERY',
      'RUNNING_RECOVERY > APPROVAL_REQUIRED',
      'reused',
    ]),
  )
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
      'order pool',
      'order tenant',
      'rollback compensate',
      'rollback retry',
      'rollback skip',
      'rollback abandon',
      'decided together',
      'approval approve',
      'approval reject',
    ]),
  )
})
