/**
 * Partitions of the network, as many as told: `node test/redis/partitions-run.ts --partitions 40 [--runners 4]
 * [--seed x]`. Needs Linux. Ends with code 1 when anything was lost, done twice, stuck, or far too late.
 */

import { parseArgs } from 'node:util'
import { nesting } from './nest.ts'
import { partitionsInNest } from './partitions-in-nest.ts'
import { tellCampaign } from './tell.ts'

const { values } = parseArgs({
  options: {
    partitions: { type: 'string', default: '40' },
    runners: { type: 'string', default: '4' },
    seed: { type: 'string', default: 'long' },
  },
})

const nest = nesting()
if (nest.kind === 'refused') throw new Error(`This machine lets nobody have namespaces: ${nest.why}.`)
const began = performance.now()
const result = await partitionsInNest(
  nest.flags,
  {
    partitions: Number(values.partitions),
    runners: Number(values.runners),
    seed: values.seed,
    variesLengths: true,
  },
  (line) => console.log(line),
)
tellCampaign('redis network partitions', result, performance.now() - began)
process.exitCode = result.problems.length === 0 ? 0 : 1
