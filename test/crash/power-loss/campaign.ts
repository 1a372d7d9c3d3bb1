/**
 * Takes the power away as often as told: `node test/crash/power-loss/campaign.ts --states 20000 [--runs 20]
 * [--seed 1] [--durability strict|relaxed]`. Ends with code 1 when a promise was lost or a store was damaged.
 */
import { parseArgs } from 'node:util'
import { replayPowerLoss } from './replay.ts'
import { recordWorkload } from './trace.ts'

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    durability: { type: 'string', default: 'strict' },
  },
})

const began = performance.now()
const durability = values.durability === 'relaxed' ? 'relaxed' : 'strict'
const steps = recordWorkload(Number(values.runs), durability)
const options = { steps, states: Number(values.states), seed: Number(values.seed) }
const { states, lost, problems } = await replayPowerLoss(options)
for (const problem of problems) console.log(problem)
const seconds = Math.round((performance.now() - began) / 1_000)
console.log(
  `${states} states over ${steps.length} steps, ${seconds} s: ${lost} promises lost, ${problems.length} problems`,
)
process.exitCode = lost === 0 && problems.length === 0 ? 0 : 1
