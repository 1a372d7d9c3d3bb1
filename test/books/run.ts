/**
 * Orders through three failing services, with runners killed all the while, and a look at the books after it:
 * `node test/books/run.ts --runs 1000 [--store sqlite|redis|cluster] [--faults 0.2] [--kill-every 1500]
 * [--runners 3] [--open 24] [--seed x]`. Ends with code 1 when they don't balance.
 */

import { parseArgs } from 'node:util'
import { noteTrend } from '../support/trend.ts'
import { playBooks } from './campaign.ts'
import { storePlaces } from './place.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    store: { type: 'string', default: 'sqlite' },
    faults: { type: 'string', default: '0.2' },
    'kill-every': { type: 'string', default: '1500' },
    runners: { type: 'string', default: '3' },
    open: { type: 'string', default: '24' },
    seed: { type: 'string', default: 'books' },
  },
})

const store = storePlaces.find((place) => place === values.store)
if (store === undefined) throw new Error(`--store is one of ${storePlaces.join(', ')}`)
const result = await playBooks({
  store,
  runs: Number(values.runs),
  runners: Number(values.runners),
  open: Number(values.open),
  killEveryMs: Number(values['kill-every']),
  cancels: 0.06,
  faults: Number(values.faults),
  slowMs: 4_000,
  seed: values.seed,
})
for (const problem of result.problems) console.log(problem)
const { kills, byStatus, byHand, told, movements, ms, problems } = result
console.log(`${values.runs} runs ${JSON.stringify(byStatus)}, ${kills} kills, ${Math.round(ms / 1_000)} s;`)
console.log(
  `${byHand} rollbacks tried again by hand; ${movements} movements; services ${JSON.stringify(told)}:`,
)
console.log(`${problems.length} problems`)
const faults = Object.entries(told).reduce(
  (sum, [what, count]) => sum + (what.startsWith('fault-') ? count : 0),
  0,
)
noteTrend({
  test: `books of three services, ${store}`,
  seeds: 1,
  points: 0,
  faults: kills + faults,
  acked: Number(values.runs),
  lost: problems.filter((problem) => problem.includes('came to an end')).length,
  duplicates: problems.filter((problem) => /made \d+ times/.test(problem)).length,
  violations: problems.length,
  ms,
})
process.exitCode = problems.length === 0 ? 0 : 1
