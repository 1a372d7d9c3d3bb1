/**
 * Compares random schedules with brute force: `node test/triggers/oracle.ts --cases 100000 [--from 1]`. Ends
 * with code 1 when anything differs.
 */

import { parseArgs } from 'node:util'
import { noteTrend } from '../support/trend.ts'
import { compareCases } from './oracle-compare.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
})

const began = performance.now()
const [first, cases, batch] = [Number(values.from), Number(values.cases), 5_000]
let [played, slots] = [0, 0]
const differences: string[] = []
while (played < cases && differences.length < 20) {
  const report = compareCases({ from: first + played, cases: Math.min(batch, cases - played) })
  played += report.cases
  slots += report.slots
  differences.push(...report.differences)
  console.error(`${played} cases, ${differences.length} differences`)
}
for (const difference of differences) console.log(difference)
const ms = Math.round(performance.now() - began)
console.log(`${played} cases, ${slots} slots, ${Math.round(ms / 1000)} s: ${differences.length} differences`)
noteTrend({
  test: 'slots of schedules against brute force',
  ...{ seeds: played, points: slots, faults: 0, acked: slots, lost: 0, duplicates: 0 },
  ...{ violations: differences.length, ms },
})
process.exitCode = differences.length === 0 ? 0 : 1
