/** Where in the store a run lives, and which fences count there. */

import type { PartitionCursor } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import { partitionOf } from '../model/partition.ts'
import type { StoreInfo } from '../store/store.ts'

/** The start of a partition's feed, before the first event of its first epoch. */
export const feedStart = (partition: number): PartitionCursor => ({ partition, epoch: 0, seq: 0 })

/** The partition of a run. */
export const partitionOfRun = (info: StoreInfo, runId: RunId): number =>
  partitionOf(runId, info.partitions.length)

/** The current epoch of a run's partition. */
export const epochOfRun = (info: StoreInfo, runId: RunId): number =>
  info.epochs[partitionOfRun(info, runId)] ?? 0
