/** Real engines on real files, killed with SIGKILL at every failpoint and at random moments. */

import { beforeAll, expect, test } from 'vitest'
import { failpointNames } from '../../src-engine/runtime/failpoints.ts'
import type { CrashResult, Kill } from './crash-run.ts'
import type { CrashScenario } from './crash-scenario.ts'
import { controlFlowPlans, failpointPlans, playAll, playUndisturbed, randomPlan } from './plans.ts'
import { crashScenarios } from './scenarios.ts'

/** Most of a process's time is its start, so only those that are killed are processes; a campaign starts all of them. */
const heir = 'here'
/** At a time: each waits for leases and locks of the dead more than it works. */
const lanes = 5
/** Enough to see that such kills are played; the campaign has a thousand. */
const randomKills = 10

let undisturbed: ReadonlyMap<CrashScenario, CrashResult>

beforeAll(async () => {
  undisturbed = await playUndisturbed(crashScenarios, { lanes, heir })
})

test('an undisturbed run is as planned and passes every failpoint outside of recovery', () => {
  const results = [...undisturbed.values()]
  expect(results.flatMap((result) => result.problems)).toEqual([])
  const passed = new Set(results.flatMap((result) => Object.keys(result.passed)))
  const outside = failpointNames.filter((name) => !name.startsWith('recovery.'))
  expect(outside.filter((name) => !passed.has(name))).toEqual([])
})

/** The failpoint at which the last of the engines is killed that are. */
const lastOf = (kills: readonly Kill[]): string | null => {
  const last = kills.at(-1)
  return last?.kind === 'failpoint' ? last.name : null
}

test('killed at any failpoint, a run ends as if nothing had happened [P29] [S8] [C50] [G24] [T15]', async () => {
  const counts = new Map([...undisturbed].map(([scenario, { passed }]) => [scenario, passed]))
  const plans = failpointPlans(counts)
  const named = plans.map(({ kills }) => lastOf(kills))
  expect(failpointNames.filter((name) => !named.includes(name))).toEqual([])
  const { kills, problems } = await playAll(plans, undisturbed, { lanes, heir })
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(plans.length)
})

test('killed within maps, loops, signals, rollbacks, decisions and sub-workflows, too [T5] [T12] [C50] [G26] [P22]', async () => {
  const counts = new Map([...undisturbed].map(([scenario, { passed }]) => [scenario, passed]))
  const plans = controlFlowPlans(counts)
  const played = new Set([...failpointPlans(counts), ...plans].map(({ scenario }) => scenario.name))
  expect(crashScenarios.map(({ name }) => name).filter((name) => !played.has(name))).toEqual([])
  const { kills, problems } = await playAll(plans, undisturbed, { lanes, heir })
  expect(problems).toEqual([])
  // A few kills come too late: how often something is passed differs by a little.
  expect(kills).toBeGreaterThan(plans.length * 0.8)
})

test('killed at random moments, up to three times in a row, too [C50]', async () => {
  const plans = Array.from({ length: randomKills }, (_, seed) => randomPlan(seed + 1))
  const { kills, problems } = await playAll(plans, undisturbed, { lanes, heir })
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThan(randomKills / 2)
})
