/** All events of a store, or of one run, however many partitions there are. */

import type { EngineEvent, PartitionCursor } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { partitionOfRun } from '../../src-engine/runtime/run-place.ts'
import type { Store } from '../../src-engine/store/store.ts'

const pageMax = 1_000

/** In the order of its partition. */
export const eventsOfRun = (store: Store, runId: RunId): Promise<readonly EngineEvent[]> =>
  eventsOf(store, partitionOfRun(store.info, runId), runId)

/** Where each commit of a store ended, in the order in which they came. */
const endsOf = new WeakMap<Store, readonly Promise<PartitionCursor>[]>()

/** Has the events of a store with partitions read as they were committed; `ends` goes on growing. */
export const readInOrder = (store: Store, ends: readonly Promise<PartitionCursor>[]): void => {
  endsOf.set(store, ends)
}

/** As they were committed where that is known; else one partition after the other, each in its order. */
export async function everyEvent(store: Store): Promise<readonly EngineEvent[]> {
  const { partitions } = store.info
  const byPartition = await Promise.all(partitions.map((partition) => eventsOf(store, partition, null)))
  const ends = await Promise.all(endsOf.get(store) ?? [])
  const read = partitions.map(() => 0)
  const inOrder = ends.flatMap((reached) => {
    const { partition } = reached
    const events = byPartition[partition] ?? []
    const from = read[partition] ?? 0
    const end = events.findIndex((event, index) => index >= from && isAfter(event, reached))
    read[partition] = end === -1 ? events.length : end
    return events.slice(from, read[partition])
  })
  return [...inOrder, ...byPartition.flatMap((events, partition) => events.slice(read[partition]))]
}

/** When each operation of a store was acknowledged first: what a failover takes back is told again later. */
const firstOf = new WeakMap<Store, ReadonlyMap<string, number>>()

/** What an operation is known by: several may have written under one name. */
export const writtenOnce = ({ opId, actor, at }: Pick<EngineEvent, 'opId' | 'actor' | 'at'>): string =>
  `${opId} ${actor.kind} ${actor.id} ${at}`

/** Has the events of a store known in the order in which they were acknowledged first; `first` goes on growing. */
export const knowFirst = (store: Store, first: ReadonlyMap<string, number>): void => {
  firstOf.set(store, first)
}

/** Events as they came about: what was lost and written again stands where it was acknowledged first. */
export function asTheyCame(store: Store, events: readonly EngineEvent[]): readonly EngineEvent[] {
  const first = firstOf.get(store)
  if (first === undefined) return events
  let last = 0
  const placed = events.map((event) => {
    last = first.get(writtenOnce(event)) ?? last
    return { event, place: last }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ event }) => event)
}

const isAfter = ({ epoch, seq }: EngineEvent, reached: PartitionCursor): boolean =>
  epoch > reached.epoch || (epoch === reached.epoch && seq > reached.seq)

/** Those of a partition, or of one of its runs, in their order. */
export async function eventsOf(
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
