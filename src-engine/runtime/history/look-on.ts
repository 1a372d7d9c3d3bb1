/** What came after places of the history, a bounded part of it: for whoever looks on. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'
import { placeOf } from './places.ts'

/** Events that one look reads of each partition; fewer where there are many partitions. */
const sliceMax = 500
const lookMax = 20_000

export interface LookOn {
  /** In the order of each partition. */
  readonly events: readonly EngineEvent[]
  /** Where the next look goes on. */
  readonly places: readonly PartitionCursor[]
  /** Whether more had come already. */
  readonly more: boolean
}

/** The events after the places, of one run or of all. */
export async function lookOn(
  store: Pick<Store, 'readEvents'>,
  places: readonly PartitionCursor[],
  runId: RunId | null,
): Promise<LookOn> {
  const limit = Math.max(50, Math.min(sliceMax, Math.floor(lookMax / Math.max(1, places.length))))
  const pages = await Promise.all(
    places.map((after) => store.readEvents({ after, runId, until: null, limit })),
  )
  return {
    events: pages.flat(),
    places: places.map((place, index) => {
      const last = pages[index]?.at(-1)
      return last === undefined ? place : placeOf(last)
    }),
    more: pages.some((page) => page.length === limit),
  }
}
