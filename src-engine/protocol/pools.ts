/** What can be asked and said about pools. */

import type { RunnerId } from '../model/ids.ts'
import type { PoolStatus } from '../model/pools.ts'

/** A pool as it is now. */
export interface PoolView {
  readonly name: string
  readonly status: PoolStatus
  /** Runners that live and work for it. */
  readonly runners: readonly RunnerId[]
  /** Invocations of it that run. */
  readonly activeSlots: number
  /** Slots of its runners; one that works for several pools offers its slots to each. */
  readonly maxSlots: number
  /** Invocations that could begin if there were room. */
  readonly waiting: number
  /** How many of its invocations run at once; null for no limit. */
  readonly limit: number | null
  /** Topics that are mapped to it. */
  readonly topics: readonly string[]
}
