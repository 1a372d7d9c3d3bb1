/** What pruning is asked for, and what it says of itself. */

import type { RunId } from '../model/ids.ts'
import type { Instant } from '../model/time.ts'

export interface PruneRequest {
  readonly partition: number
  /** Null: no bound by age. */
  readonly endedBefore: Instant | null
  /** Null: no bound by count. */
  readonly keep: number | null
  /** Blobs that nothing names and that are older than this are removed too; null to leave them. */
  readonly blobsBefore: Instant | null
  /** At most this many runs. */
  readonly limit: number
  /** What is known elsewhere of the partition's runs; absent where everything is one partition. */
  readonly outside?: PruneOutside
}

/** What other partitions know of the runs of one. */
export interface PruneOutside {
  /** Runs that open ones name, or whose start still waits to be brought about. */
  readonly named: ReadonlySet<RunId>
  /** Whether a run of another partition is there and open. */
  readonly isOpen: (id: RunId) => Promise<boolean>
}

export interface PruneAnswer {
  readonly runs: number
  readonly blobs: number
  /** Whether there is more to remove. */
  readonly more: boolean
}
