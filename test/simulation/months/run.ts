/**
 * Plays simulated months of triggers: `node test/simulation/months/run.ts --seeds 1000 --from 1 --store memory`.
 * A bad one is told with the command that plays it again. Ends with code 1 when there was one.
 */

import { parseArgs } from 'node:util'
import { noteTrend } from '../../support/trend.ts'
import { playMonths } from './campaign.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
    days: { type: 'string', default: '30' },
    runners: { type: 'string', default: '20' },
  },
})

const { store } = values
const from = Number(values.from)
const to = from + Number(values.seeds) - 1
const began = performance.now()
const shape = { days: Number(values.days), runnersMax: Number(values.runners) }
let told = 0
const { bad, ...tally } = await playMonths({ store, from, to, ...shape }, ({ bad: found, months }) => {
  for (const { seed, problems } of found.slice(told)) {
    console.log(`SEED=${seed} node test/simulation/months/run.ts --store '${store}' --from ${seed} --seeds 1`)
    for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`)
  }
  told = found.length
  if (months % 50 === 0) console.log(`${months} months, ${found.length} bad`)
})
console.log({ store, from, to, ...tally, bad: bad.length })
noteTrend({
  test: `months of triggers, ${store}`,
  seeds: tally.months,
  points: 0,
  faults: tally.faults,
  acked: tally.firings,
  lost: 0,
  duplicates: 0,
  violations: bad.length,
  ms: Math.round(performance.now() - began),
})
process.exitCode = bad.length === 0 ? 0 : 1
