/** Plays partitions within a nest: `node partitions-child.ts PLAN`. Tells of them, and of what they came to, as lines of JSON. */

import type { PartitionPlan } from './partitions.ts'
import { playPartitions } from './partitions.ts'

/** What it says. */
export type NestLine =
  | { readonly type: 'report'; readonly line: string }
  | { readonly type: 'result'; readonly result: Awaited<ReturnType<typeof playPartitions>> }

const say = (line: NestLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

// Whoever asked is gone; with this process, the first of its nest, everything in it ends.
process.stdin.on('end', () => process.exit(1)).resume()
// Whoever started this process wrote it.
const plan = JSON.parse(process.argv[2] ?? '{}') as PartitionPlan
const result = await playPartitions(plan, (line) => say({ type: 'report', line }))
process.stdout.write(`${JSON.stringify({ type: 'result', result } satisfies NestLine)}\n`, () =>
  process.exit(0),
)
