/**
 * What a store with several partitions is made from: the contract for each of them alone, as if it were a
 * store of its own, and what crosses them. `partitioned/` puts the whole together.
 */

import type { SlotRelease, SlotTake } from '../model/checkpoint.ts'
import type { RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Instant } from '../model/time.ts'
import type { FetchRequest, Store } from './store.ts'

/** Whether permits were taken: all of them, or none. */
export type TakeAnswer =
  /** Those of the asked that weren't held before; the rest its holder had already. */
  | { readonly kind: 'taken'; readonly fresh: readonly SlotTake[] }
  | { readonly kind: 'slot-taken'; readonly key: string; readonly holders: readonly string[] }

/**
 * Each call is about the partition that it names and sees nothing of the others: runs, registers, permits and
 * runners of one are as good as in another file. Only blobs are common to all.
 */
export interface RawStore extends Store {
  /**
   * Takes permits outside of a checkpoint and without an event, for holders that live in another partition.
   * Expired ones make way. Repeating it changes nothing.
   */
  takeSlots(
    partition: number,
    request: { readonly takes: readonly SlotTake[]; readonly at: Instant },
  ): Promise<TakeAnswer>
  /** Gives permits back. What isn't held, or is another one's take by now, is passed over. */
  releaseSlots(partition: number, releases: readonly SlotRelease[]): Promise<void>
  /**
   * What `fetch` would find, where that is known without asking: mostly since the partition's last answer told it. Null where it
   * isn't. Absent where asking takes no time.
   */
  glance?(request: FetchRequest): readonly InvocationRecord[] | null
  /** Resolves when all that is there is as safe as what was acknowledged; absent where it always is. */
  confirmAll?(partition: number): Promise<void>
  /**
   * Runs, of whichever partition, that stay for what this one has: open runs name them, or the effect that starts them
   * still waits here, and would start them anew.
   */
  neededFor(partition: number): Promise<readonly RunId[]>
}
