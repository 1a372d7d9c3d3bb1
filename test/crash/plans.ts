/** Which kills there are to survive. */

import { failpointNames } from '../../src-engine/runtime/failpoints.ts'
import { createRandomSource } from '../support/random-source.ts'
import type { CrashResult, Heir, Kill } from './crash-run.ts'
import { crashRun } from './crash-run.ts'
import type { CrashScenario } from './crash-scenario.ts'
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

/** The first, the second and the last passing of what is passed so often. */
const passings = (passed: number): readonly number[] => [...new Set([1, Math.min(2, passed), passed])]

/** One of those, the next one for each that asks: all three sorts are there, one of them in each place. */
const passingInTurn = (passed: number, turn: number): number => {
  const all = passings(passed)
  return all[turn % all.length] ?? 1
}

/** How often it is passed depends on how long the run takes: its last passing may never come again. */
const isByTime = (name: string): boolean => name.startsWith('claim.') || name.startsWith('renew.')

/** Every failpoint once, at its first, second or last passing in turn, in a scenario that passes it often. */
export function failpointPlans(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
): readonly CrashPlan[] {
  return failpointNames.flatMap((name, turn) => {
    // Three deep has what two deep would have.
    if (inRecovery.has(name)) return recoveryPlans(name, recoveringInTurn(turn)).slice(-1)
    const [scenario, passed] = oftenPassed(counts, name)
    const steady = isByTime(name) ? Math.min(2, passed) : passed
    return planOf(scenario, [{ kind: 'failpoint', name, nth: passingInTurn(steady, turn) }])
  })
}

/** Where the control flow of a run is cut: what a map, a signal, a rollback, a decision or a sub-workflow may lose. */
const inControlFlow: readonly (readonly [scenario: string, names: readonly string[]])[] = [
  ['nest', ['attempt.before-commit', 'attempt.after-commit', 'wake.after-commit']],
  [
    'signals',
    ['attempt.before-commit', 'attempt.after-commit', 'signal.before-commit', 'signal.after-commit'],
  ],
  [
    'asked',
    ['attempt.before-commit', 'attempt.after-commit', 'approval.before-commit', 'approval.after-commit'],
  ],
  ['undoing', ['attempt.before-commit', 'attempt.after-commit', 'effect.after-delivery']],
  ['halted', ['attempt.after-commit']],
  ['cancel', ['cancel.before-commit', 'cancel.after-commit']],
  ['unanswered', ['wake.after-commit']],
  ['governed', ['begin.before-commit', 'begin.after-commit']],
  ['held', ['attempt.after-commit']],
  ['redacted', ['attempt.after-commit', 'effect.after-delivery']],
  ['unreachable', ['begin.after-commit']],
  ['rejected', ['approval.before-commit', 'approval.after-commit']],
  ['thrownAway', ['quarantine.after-commit']],
  ['heldLate', ['effect.after-delivery']],
  ['paused', ['control.before-commit', 'control.after-commit', 'attempt.after-commit']],
  ['family', ['attempt.before-commit', 'attempt.after-commit', 'start.before-commit', 'start.after-commit']],
]

/**
 * Kills within maps, loops, signals, rollbacks, decisions and sub-workflows, each at its first, second or last passing in
 * turn; the campaign has all three.
 */
export function controlFlowPlans(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
): readonly CrashPlan[] {
  let turn = 0
  return inControlFlow.flatMap(([scenarioName, names]) => {
    const [scenario, passed] = [...counts].find(([{ name }]) => name === scenarioName) ?? []
    if (scenario === undefined || passed === undefined)
      throw new Error(`there is no scenario ${scenarioName}`)
    return names.map((name) => {
      const last = passed[name] ?? 0
      if (last === 0) throw new Error(`the scenario ${scenarioName} doesn't pass ${name}`)
      turn += 1
      return planOf(scenario, [{ kind: 'failpoint', name, nth: passingInTurn(last, turn) }])
    })
  })
}

/** Every failpoint at its first, second and last passing, in every one of these scenarios that passes it. */
export function everyFailpointPlan(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
): readonly CrashPlan[] {
  return failpointNames.flatMap((name) => {
    if (inRecovery.has(name)) return recoveryPlans(name, [...counts.keys()])
    return [...counts].flatMap(([scenario, { [name]: passed = 0 }]) => {
      const times = passed === 0 ? [] : passings(passed)
      return times.map((nth) => planOf(scenario, [{ kind: 'failpoint', name, nth }]))
    })
  })
}

/** One of each sort, for one failpoint each; the campaign takes all. */
const recoveringScenarios = crashScenarios.filter(({ name }) => ['order', 'nest', 'family'].includes(name))
const recoveringInTurn = (turn: number): readonly CrashScenario[] => {
  const scenario = recoveringScenarios[turn % recoveringScenarios.length]
  return scenario === undefined ? [] : [scenario]
}

/** Three deep: a crash, a crash of what recovers from it, and a crash of what recovers from that. */
function recoveryPlans(name: string, scenarios: readonly CrashScenario[]): readonly CrashPlan[] {
  const again: Kill = { kind: 'failpoint', name, nth: 1 }
  return scenarios.flatMap((scenario) => [
    planOf(scenario, [first, again]),
    planOf(scenario, [first, again, again]),
  ])
}

/** The first that passes it three times, else the one that does so most often: the shorter ones come first. */
function oftenPassed(
  counts: ReadonlyMap<CrashScenario, CrashResult['passed']>,
  name: string,
): readonly [CrashScenario, number] {
  const all = [...counts].map(([scenario, passed]) => [scenario, passed[name] ?? 0] as const)
  const [most] = [...all].sort(([, a], [, b]) => b - a)
  if (most === undefined || most[1] === 0) throw new Error(`no scenario passes the failpoint ${name}`)
  return all.find(([, passed]) => passed >= 3) ?? most
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
  heir: Heir,
): Promise<{ readonly result: CrashResult; readonly problems: readonly string[] }> {
  const result = await crashRun(plan.scenario, plan.kills, heir)
  const problems = result.problems.map((problem) => `${plan.title}: ${problem}`)
  const expected = undisturbed.get(plan.scenario)?.output ?? null
  if (result.output !== expected) {
    problems.push(
      `${plan.title}: the output is ${result.output ?? 'none'}, undisturbed it is ${expected ?? 'none'}`,
    )
  }
  return { result, problems }
}

/** Each scenario without a kill, some at a time: the measure of all others, in the order given. */
export async function playUndisturbed(
  scenarios: readonly CrashScenario[],
  { lanes, heir = 'process' }: { readonly lanes: number; readonly heir?: Heir },
): Promise<ReadonlyMap<CrashScenario, CrashResult>> {
  const results = new Map<CrashScenario, CrashResult>()
  const open = [...scenarios]
  const lane = async (): Promise<void> => {
    for (let scenario = open.shift(); scenario !== undefined; scenario = open.shift())
      results.set(scenario, await crashRun(scenario, [], heir))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  // Those that ended first stand first until here; which one passes a failpoint often is asked in their order.
  return new Map(
    scenarios.flatMap((scenario) => {
      const result = results.get(scenario)
      return result === undefined ? [] : [[scenario, result] as const]
    }),
  )
}

/** Plays plans, some at a time; who comes after the kills is a process of its own unless something else is said. */
export async function playAll(
  plans: readonly CrashPlan[],
  undisturbed: ReadonlyMap<CrashScenario, CrashResult>,
  { lanes, heir = 'process' }: { readonly lanes: number; readonly heir?: Heir },
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
      const played = await play(plan, undisturbed, heir)
      kills += played.result.kills
      readyMs.push(played.result.readyMs)
      problems.push(...played.problems)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { kills, problems, readyMs }
}
