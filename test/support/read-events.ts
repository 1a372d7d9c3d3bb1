/** All events of a store, or of one run, however many partitions there are. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { partitionOfRun } from '../../src-engine/runtime/run-place.ts'
import type { Store } from '../../src-engine/store/store.ts'

const pageMax = 1_000

/** In the order of its partition. */
export const eventsOfRun = (store: Store, runId: RunId): Promise<readonly EngineEvent[]> =>
  eventsOf(store, partitionOfRun(store.info, runId), runId)

/** One partition after the other, each in its order. */
export async function everyEvent(store: Store): Promise<readonly EngineEvent[]> {
  const { partitions } = store.info
  return (await Promise.all(partitions.map((partition) => eventsOf(store, partition, null)))).flat()
}

async function eventsOf(
  store: Store,
  partition: number,
  runId: RunId | null,
): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  for (;;) {
    const last = events.at(-1)
    const after = { partition, epoch: last?.epoch ?? 0, seq: last?.seq ?? 0 }
    const page = await store.readEvents({ after, runId, until: null, limit: pageMax })
    events.push(...page)
    if (page.length < pageMax) return events
  }
}
