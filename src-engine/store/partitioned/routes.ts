/** Where things of a partitioned store live, and how answers of several partitions become one. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runId, runIdOf } from '../../model/ids.ts'
import { partitionOf } from '../../model/partition.ts'
import type { RawStore } from '../raw-store.ts'

/** Knows every thing's partition without looking it up. */
export interface Routes {
  readonly partitions: readonly number[]
  readonly ofRun: (id: RunId) => number
  readonly ofInvocation: (id: InvocationId) => number
  /** Where the permits of a key are counted. */
  readonly ofKey: (key: string) => number
  /** Where a checkpoint is written: with its run; one without a run where its author says. */
  readonly ofCheckpoint: (checkpoint: Checkpoint) => number
  /** Whoever holds a permit is a run or an invocation; a start counted by a rate adds its fence to the id. */
  readonly ofHolder: (holder: string) => number
}

export function createRoutes({ info }: Pick<RawStore, 'info'>): Routes {
  const count = info.partitions.length
  const ofRun = (id: RunId): number => partitionOf(id, count)
  const ofInvocation = (id: InvocationId): number => ofRun(runIdOf(id))
  return {
    partitions: info.partitions,
    ofRun,
    ofInvocation,
    ofKey: (key) => partitionOf(runId(key), count),
    ofCheckpoint: ({ writes, expect, partition }) => {
      const run = writes.run?.id ?? expect.run?.id
      if (run !== undefined) return ofRun(run)
      const invocation = writes.invocations[0]?.id ?? expect.invocations[0]?.id
      return invocation === undefined ? partition : ofInvocation(invocation)
    },
    ofHolder: (holder) => ofInvocation(holder as InvocationId),
  }
}

/** Items by the partition that they live in. */
export function byPartition<Item>(
  items: readonly Item[],
  partitionOfItem: (item: Item) => number,
): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const partition = partitionOfItem(item)
    const group = groups.get(partition)
    if (group === undefined) groups.set(partition, [item])
    else group.push(item)
  }
  return groups
}
