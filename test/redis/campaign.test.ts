/** Faults on a live cluster under load, with four runner processes; `run.ts` is the long form. */

import { expect, test } from 'vitest'
import { faults as all } from './faults.ts'
import type { CampaignPlan } from './play.ts'
import { playCampaign } from './play.ts'
import { noteCampaign } from './tell.ts'

const report = (line: string): void => console.log(line)

async function play(plan: CampaignPlan) {
  const began = performance.now()
  const result = await playCampaign(plan)
  noteCampaign(`redis ${plan.durability}, short`, result, performance.now() - began)
  return result
}

test('in safe mode nothing that was acknowledged is lost, nothing recorded twice, and nothing stuck', async () => {
  const { problems, faults, runs, byEnd } = await play({
    durability: 'safe',
    runners: 4,
    forMs: 90_000,
    faultsMin: 15,
    faults: all,
    seed: 'safe',
    stepMs: 60,
    report,
  })
  expect(problems).toEqual([])
  expect(byEnd).toEqual({ SUCCEEDED: runs })
  expect(faults.length).toBeGreaterThanOrEqual(15)
  expect(new Set(faults.map(({ fault }) => fault))).toEqual(new Set(Object.keys(all)))
})

/** Those that take back what a master alone had. */
const losing = Object.fromEntries(
  (
    [
      'a replica takes over without a vote',
      'a replica takes over by force',
      'a master stands still for longer than the cluster waits',
      'a master is killed, and comes back as a replica',
    ] as const
  ).map((name) => [name, all[name]]),
)

test('in fast mode everything that was lost is told, and nothing contradicts itself', async () => {
  const { problems, runs, byEnd } = await play({
    durability: 'fast',
    runners: 4,
    forMs: 15_000,
    faultsMin: Object.keys(losing).length,
    faults: losing,
    seed: 'fast',
    report,
  })
  expect(problems).toEqual([])
  const { SUCCEEDED: succeeded = 0, LOST: lost = 0 } = byEnd
  expect(succeeded + lost).toBe(runs)
})
