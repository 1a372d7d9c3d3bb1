/** Which kills there are to survive. */

import { failpointNames } from '../../src-engine/runtime/failpoints.ts'
import { createRandomSource } from '../support/random-source.ts'
import type { CrashResult, Kill } from './crash-run.ts'
import { crashRun } from './crash-run.ts'
import type { CrashScenario } from './scenarios.ts'
import { crashScenarios } from './scenarios.ts'

export interface CrashPlan {
  readonly title: string
  readonly scenario: CrashScenario
  readonly kills: readonly Kill[]
}

/** An undisturbed run of a scenario lasts about this long; later kills find it final. */
const runMs = 160

/** Failpoints that only a recovery passes: their engine must be killed before. */
const inRecovery: ReadonlySet<string> = new Set(failpointNames.filter((name) => name.startsWith('recovery.')))
const first: Kill = { kind: 'failpoint', name: 'attempt.effect-done', nth: 2 }

/** Every failpoint at its first, second and last passing, in the scenario that passes it most often. */
export function failpointPlans(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
): readonly CrashPlan[] {
  return failpointNames.flatMap((name) => {
    if (inRecovery.has(name)) return recoveryPlans(name)
    const [scenario, passed] = mostPassed(counts, name)
    const times = [...new Set([1, Math.min(2, passed), passed])]
    return times.map((nth) => planOf(scenario, [{ kind: 'failpoint', name, nth }]))
  })
}

/** Every failpoint at its first, second and last passing, in every scenario that passes it. */
export function everyFailpointPlan(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
): readonly CrashPlan[] {
  return failpointNames.flatMap((name) => {
    if (inRecovery.has(name)) return recoveryPlans(name)
    return [...counts].flatMap(([scenario, { [name]: passed = 0 }]) => {
      const times = passed === 0 ? [] : [...new Set([1, Math.min(2, passed), passed])]
      return times.map((nth) => planOf(scenario, [{ kind: 'failpoint', name, nth }]))
    })
  })
}

/** Three deep: a crash, a crash of what recovers from it, and a crash of what recovers from that. */
function recoveryPlans(name: string): readonly CrashPlan[] {
  const again: Kill = { kind: 'failpoint', name, nth: 1 }
  return crashScenarios.flatMap((scenario) => [
    planOf(scenario, [first, again]),
    planOf(scenario, [first, again, again]),
  ])
}

function mostPassed(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
  name: string,
): readonly [CrashScenario, number] {
  const [most] = [...counts]
    .map(([scenario, passed]) => [scenario, passed[name] ?? 0] as const)
    .sort(([, a], [, b]) => b - a)
  if (most === undefined || most[1] === 0) throw new Error(`no scenario passes the failpoint ${name}`)
  return most
}

/** One to three kills at moments that the seed decides. */
export function randomPlan(seed: number): CrashPlan {
  const random = createRandomSource(`kill ${seed}`)
  const scenario = random.pick(crashScenarios)
  const kills = Array.from({ length: 1 + random.below(3) }, (): Kill => {
    return { kind: 'time', afterMs: random.below(runMs) }
  })
  return { ...planOf(scenario, kills), title: `seed ${seed}, ${planOf(scenario, kills).title}` }
}

/** The kills of one run of a scenario, with a title that names them. */
export function planOf(scenario: CrashScenario, kills: readonly Kill[]): CrashPlan {
  const told = kills.map((kill) =>
    kill.kind === 'time' ? `after ${kill.afterMs} ms` : `${kill.name}@${kill.nth}`,
  )
  return { title: `${scenario.name}: ${told.join(', then ')}`, scenario, kills }
}

/** What came of a plan, in words; empty when all is well. */
async function play(
  plan: CrashPlan,
  undisturbed: ReadonlyMap<CrashScenario, CrashResult>,
): Promise<{ readonly result: CrashResult; readonly problems: readonly string[] }> {
  const result = await crashRun(plan.scenario, plan.kills)
  const problems = result.problems.map((problem) => `${plan.title}: ${problem}`)
  const expected = undisturbed.get(plan.scenario)?.output ?? null
  if (result.output !== expected) {
    problems.push(
      `${plan.title}: the output is ${result.output ?? 'none'}, undisturbed it is ${expected ?? 'none'}`,
    )
  }
  return { result, problems }
}

/** Every scenario without a kill: the measure of all others. */
export async function playUndisturbed(): Promise<ReadonlyMap<CrashScenario, CrashResult>> {
  const results = new Map<CrashScenario, CrashResult>()
  for (const scenario of crashScenarios) results.set(scenario, await crashRun(scenario, []))
  return results
}

/** Plays plans, some at a time. */
export async function playAll(
  plans: readonly CrashPlan[],
  undisturbed: ReadonlyMap<CrashScenario, CrashResult>,
  lanes: number,
): Promise<{
  readonly kills: number
  readonly problems: readonly string[]
  readonly readyMs: readonly number[]
}> {
  const problems: string[] = []
  const readyMs: number[] = []
  let kills = 0
  const open = [...plans]
  const lane = async (): Promise<void> => {
    for (let plan = open.shift(); plan !== undefined; plan = open.shift()) {
      const played = await play(plan, undisturbed)
      kills += played.result.kills
      readyMs.push(played.result.readyMs)
      problems.push(...played.problems)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { kills, problems, readyMs }
}
