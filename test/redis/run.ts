/**
 * Faults for as long as told: `node test/redis/run.ts --minutes 60 [--mode safe|fast] [--runners 4] [--seed x]`,
 * `… --only "the password is rotated"`. Ends with code 1 when anything was lost, done twice, stuck, or not told of.
 */

import { parseArgs } from 'node:util'
import type { Fault } from './faults.ts'
import { faults as all } from './faults.ts'
import { playCampaign } from './play.ts'
import { tellCampaign } from './tell.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    mode: { type: 'string', default: 'safe' },
    runners: { type: 'string', default: '4' },
    seed: { type: 'string', default: 'long' },
    only: { type: 'string', multiple: true, default: [] },
  },
})

// Who interrupts it leaves no server behind: they end with the process where that ends by itself.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const began = performance.now()
const durability = values.mode === 'fast' ? 'fast' : 'safe'
const result = await playCampaign({
  durability,
  runners: Number(values.runners),
  forMs: Number(values.minutes) * 60_000,
  faultsMin: 1,
  faults: Object.fromEntries(
    Object.entries<Fault>(all).filter(([name]) => values.only.length === 0 || values.only.includes(name)),
  ),
  seed: values.seed,
  report: (line) => console.log(line),
})
tellCampaign(`redis ${durability}`, result, performance.now() - began)
process.exitCode = result.problems.length === 0 ? 0 : 1
