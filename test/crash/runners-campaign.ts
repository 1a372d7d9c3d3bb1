/**
 * Kills runners of a crew for as long as told, one a second, and checks what is left:
 * `node test/crash/runners-campaign.ts --minutes 2 [--runners 3] [--open 8] [--seed x]`. Ends with code 1 when
 * anything was lost or done twice.
 */

import { parseArgs } from 'node:util'
import { duplicatesIn, noteTrend } from '../support/trend.ts'
import { playCrew } from './runners-crew.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    runners: { type: 'string', default: '3' },
    open: { type: 'string', default: '8' },
    seed: { type: 'string', default: 'crew' },
  },
})

const began = performance.now()
const result = await playCrew({
  runners: Number(values.runners),
  forMs: Number(values.minutes) * 60_000,
  killEveryMs: 1_000,
  killsMin: 1,
  runsOpen: Number(values.open),
  seed: values.seed,
})
for (const problem of result.problems) console.log(problem)
console.log(
  `${result.kills} kills, ${result.runs} runs ${JSON.stringify(result.byStatus)},`,
  `settled ${result.settleMs} ms after the last kill: ${result.problems.length} problems`,
)
noteTrend({
  test: 'runners killed on one file',
  seeds: 1,
  points: 0,
  faults: result.kills,
  acked: result.runs,
  lost: result.problems.filter((problem) => problem.includes('I10 ')).length,
  duplicates: duplicatesIn(result.problems),
  violations: result.problems.length,
  ms: Math.round(performance.now() - began),
})
process.exitCode = result.problems.length === 0 ? 0 : 1
