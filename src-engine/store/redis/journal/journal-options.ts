/** How a store's journal is kept, and what is told of it. */

import type { StoreId } from '../../../model/ids.ts'
import type { Millis } from '../../../model/time.ts'
import type { LostOp } from './lost-op.ts'
import type { JournalBounds } from './op-journal.ts'

/** What became of a process's own operations that a failover took back in one partition. */
export interface ReplayReport {
  readonly storeId: StoreId
  readonly partition: number
  /** The epoch that they were brought back in. */
  readonly epoch: number
  /** How many were lost. */
  readonly lost: number
  /** How many of them were written again as they were. */
  readonly broughtBack: number
  /** How many were there already: written again by another process, or decided again. */
  readonly there: number
  /** Those that are lost for good, each by itself. */
  readonly gone: readonly LostOp[]
  /** Whether more was lost than the journal still held; what that was, the event of the epoch bounds. */
  readonly isCut: boolean
  readonly tookMs: Millis
}

export interface JournalOptions {
  /** Where the journals of all stores are kept, each in a folder of its own; null for memory alone. */
  readonly directory: string | null
  readonly bounds?: JournalBounds
  /** How long claims of a partition wait after another server has begun to lead it. */
  readonly holdMs?: Millis
  /** How long an operation waits for those that it builds on. */
  readonly patienceMs?: Millis
  readonly onReplayed: (report: ReplayReport) => void
  /** Told when the file can't be written: what is noted from then on ends with the process. */
  readonly onTrouble: (thrown: unknown) => void
  /** Told of lines of earlier processes that can't be read, and of files of other stores. */
  readonly onDamage?: (found: { readonly damaged: number; readonly foreign: readonly string[] }) => void
}
