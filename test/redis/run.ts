/**
 * Faults for as long as told: `node test/redis/run.ts --minutes 60 [--mode safe|fast] [--runners 4] [--seed x]`,
 * `… --only "the password is rotated"`. Ends with code 1 when anything was lost, done twice, stuck, or not told of.
 */

import { parseArgs } from 'node:util'
import type { FaultName } from './faults.ts'
import { faultNames } from './faults.ts'
import { playCampaign } from './play.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    mode: { type: 'string', default: 'safe' },
    runners: { type: 'string', default: '4' },
    seed: { type: 'string', default: 'long' },
    only: { type: 'string', multiple: true, default: [] },
  },
})

const chosen = faultNames.filter((name) => values.only.length === 0 || values.only.includes(name))
const { problems, faults, ...rest } = await playCampaign({
  durability: values.mode === 'fast' ? 'fast' : 'safe',
  runners: Number(values.runners),
  forMs: Number(values.minutes) * 60_000,
  faultsMin: 1,
  faults: chosen,
  seed: values.seed,
  report: (line) => console.log(line),
})
for (const problem of problems) console.log(problem)
console.log(rest)
for (const name of chosen) {
  const times = faults
    .filter(({ fault }) => fault === (name satisfies FaultName))
    .map(({ steadyMs }) => steadyMs)
  if (times.length > 0)
    console.log(`${name}: ${times.length} times, steady after ${Math.max(...times)} ms at most`)
}
console.log(`${faults.length} faults: ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
