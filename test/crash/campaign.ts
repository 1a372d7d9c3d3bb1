/**
 * Kills engines for as long as told: `node test/crash/campaign.ts --kills 1000 [--from 1] [--lanes 2]`. Ends
 * with code 1 when anything was not as if nothing had happened. `--only undoing,held` has each failpoint of these
 * scenarios, and no kills at random.
 */

import { parseArgs } from 'node:util'
import { duplicatesIn, noteTrend } from '../support/trend.ts'
import { everyFailpointPlan, playAll, playUndisturbed, randomPlan } from './plans.ts'
import { crashScenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
})

const lanes = Number(values.lanes)
const began = performance.now()
const only = values.only?.split(',')
const undisturbed = await playUndisturbed(
  crashScenarios.filter(({ name }) => only === undefined || only.includes(name)),
  { lanes },
)
const counts = new Map([...undisturbed].map(([scenario, { passed }]) => [scenario, passed]))
const planned = await playAll(everyFailpointPlan(counts), undisturbed, { lanes })
let { kills } = planned
const problems = [...planned.problems]
const readyMs = [...planned.readyMs]
const batch = 50
const killsWanted = only === undefined ? Number(values.kills) : 0
for (let seed = Number(values.from); kills < killsWanted; seed += batch) {
  const plans = Array.from({ length: batch }, (_, index) => randomPlan(seed + index))
  const played = await playAll(plans, undisturbed, { lanes })
  kills += played.kills
  problems.push(...played.problems)
  readyMs.push(...played.readyMs)
  // Progress, and proof of it: seeds whose kills come too late must not look like a hang.
  console.error(`${kills} kills, seeds up to ${seed + batch - 1}, ${problems.length} problems`)
}
for (const problem of problems) console.log(problem)
readyMs.sort((a, b) => a - b)
const p99 = Math.round(readyMs[Math.floor(readyMs.length * 0.99)] ?? 0)
const seconds = Math.round((performance.now() - began) / 1_000)
console.log(
  `${kills} kills in ${readyMs.length} runs, ${seconds} s; restart to ready p99 ${p99} ms:`,
  `${problems.length} problems`,
)
noteTrend({
  test: 'kills at failpoints and at random',
  seeds: readyMs.length - planned.readyMs.length,
  points: planned.readyMs.length,
  faults: kills,
  acked: readyMs.length,
  lost: problems.filter((problem) => problem.includes('I10 ')).length,
  duplicates: duplicatesIn(problems),
  violations: problems.length,
  ms: Math.round(performance.now() - began),
})
process.exitCode = problems.length === 0 ? 0 : 1
