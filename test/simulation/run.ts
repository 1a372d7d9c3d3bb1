/**
 * Plays many seeds, or one: `node test/simulation/run.ts --seeds 1000 [--seed 17] [--store memory|sqlite]`.
 * Ends with code 1 when a seed breaks an invariant; that seed alone gives the same story again.
 */

import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'
import { simulationStores } from './stores.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string' },
    store: { type: 'string', default: 'memory' },
  },
})

const openStore = simulationStores[values.store]
if (openStore === undefined) throw new Error(`there is no store ${values.store}`)
const first = Number(values.seed ?? 1)
const last = values.seed === undefined ? Number(values.seeds) : first
const faults: Record<string, number> = {}
let runs = 0
let virtualMs = 0
let happened = 0
let bad = 0
const began = performance.now()
for (let seed = first; seed <= last; seed += 1) {
  const simulated = await simulate(seed, { openStore })
  runs += simulated.runs
  virtualMs += simulated.virtualMs
  happened += simulated.happened
  for (const [name, count] of Object.entries(simulated.faults)) faults[name] = (faults[name] ?? 0) + count
  if (values.seed !== undefined) console.log(`trace ${simulated.trace}`)
  if (simulated.violations.length === 0) continue
  bad += 1
  console.log(`SEED=${seed} node test/simulation/run.ts --store ${values.store} --seed ${seed}`)
  for (const violation of simulated.violations.slice(0, 10)) console.log(`  ${violation}`)
}
const hours = (virtualMs / 3_600_000).toFixed(1)
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
console.log(
  `${last - first + 1} seeds, ${runs} runs, ${hours} simulated hours, ${happened} happenings in ${seconds} s:`,
  `${bad} bad`,
)
console.log(faults)
process.exitCode = bad === 0 ? 0 : 1
