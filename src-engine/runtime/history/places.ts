/** Places in the history: where it ends, where an instant lies in it, and how they are told to whoever asks on. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'

/** Where an event stands. */
export const placeOf = ({ partition, epoch, seq }: EngineEvent): PartitionCursor => ({
  partition,
  epoch,
  seq,
})

/** Where a partition's history ends now. */
export const historyEnds = (store: Store): Promise<readonly PartitionCursor[]> =>
  Promise.all(store.info.partitions.map((partition) => store.load(partition, 'feedEnd', {})))

/** Whether one place of a partition lies behind another. */
export const isAfter = (a: PartitionCursor, b: PartitionCursor): boolean =>
  a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

/** A place as text, which names an event. */
export const placeText = ({ partition, epoch, seq }: PartitionCursor): string =>
  `${partition}.${epoch}.${seq}`

/** Places as the text of a cursor. */
export const cursorText = (places: readonly PartitionCursor[]): string => places.map(placeText).join(',')

/** The places of a cursor; those of partitions that there aren't (any more) are left out. */
export function placesOf({ info }: Pick<Store, 'info'>, cursor: string): readonly PartitionCursor[] {
  const known = new Set(info.partitions)
  const places = cursor.split(',').map((place) => {
    const [partition = 0, epoch = 0, seq = 0] = place.split('.').map(Number)
    return { partition, epoch, seq }
  })
  return places.filter(({ partition }) => known.has(partition))
}

/**
 * The last places before an instant, one per partition, found by halving: some twenty events of each are read, however
 * long the history is. Of epochs before the current one the ends.
 */
export async function placesBefore(store: Store, instant: Instant): Promise<readonly PartitionCursor[]> {
  const ends = await historyEnds(store)
  return Promise.all(ends.map((end) => placeBefore(store, end, instant)))
}

async function placeBefore(
  store: Pick<Store, 'readEvents'>,
  end: PartitionCursor,
  instant: Instant,
): Promise<PartitionCursor> {
  const { partition, epoch } = end
  let [low, high] = [0, end.seq]
  while (low < high) {
    const middle = (low + high) >> 1
    const after = { partition, epoch, seq: middle }
    const [next] = await store.readEvents({ after, runId: null, until: end.seq, limit: 1 })
    // What was pruned is passed to what comes next.
    if (next === undefined || next.at >= instant) high = middle
    else low = next.seq
  }
  return { partition, epoch, seq: low }
}
