/** Has a nest play partitions, and hands on what it says. */

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnInNest } from './nest.ts'
import type { PartitionPlan, PartitionResult } from './partitions.ts'
import type { NestLine } from './partitions-child.ts'

/** Rejects when the nest ends without a result. */
export async function partitionsInNest(
  flags: readonly string[],
  plan: PartitionPlan,
  report: (line: string) => void,
): Promise<PartitionResult> {
  const nest = spawnInNest(flags, join(import.meta.dirname, 'partitions-child.ts'), [JSON.stringify(plan)])
  const ended = new Promise<number | null>((resolve) => nest.once('close', resolve))
  if (nest.stdout === null) throw new Error('a nest has a standard output')
  let result: PartitionResult | null = null
  for await (const text of createInterface({ input: nest.stdout })) {
    const line = JSON.parse(text) as NestLine
    if (line.type === 'report') report(line.line)
    else result = line.result
  }
  const code = await ended
  if (result === null) throw new Error(`the nest ended with ${code} and told nothing`)
  return result
}
