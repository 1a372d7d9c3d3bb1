/**
 * Kills an engine in every so many of its writes and syncs: `node test/crash/syscall/campaign.ts [--every 5]
 * [--lanes 2]`. Ends with code 1 when anything was not as if nothing had happened.
 */
import { parseArgs } from 'node:util'
import { playUndisturbed } from '../plans.ts'
import { crashScenarios } from '../scenarios.ts'
import { killInSyscalls } from './syscall-kills.ts'

const { values } = parseArgs({
  options: { every: { type: 'string', default: '5' }, lanes: { type: 'string', default: '2' } },
})

const began = performance.now()
const [undisturbed] = await playUndisturbed(crashScenarios.slice(0, 1), { lanes: 1 })
if (undisturbed === undefined) throw new Error('There is no scenario.')
const every = Number(values.every)
const lanes = Number(values.lanes)
const options = { first: 1, every, most: Number.POSITIVE_INFINITY, lanes, heir: 'process' } as const
const { kills, problems } = await killInSyscalls(undisturbed, options)
for (const problem of problems) console.log(problem)
const seconds = Math.round((performance.now() - began) / 1_000)
console.log(`${kills} kills in system calls, ${seconds} s: ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
