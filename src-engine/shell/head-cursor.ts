/** The place after the newest event: where a subscription “from now on” begins. */

import type { Cursor, PartitionCursor } from '../model/event.ts'
import type { Store } from '../store/store.ts'

/** Sequences are gap-free, so asking whether anything follows a place finds the end in some forty looks. */
export async function headCursor(store: Pick<Store, 'info' | 'readEvents'>): Promise<Cursor> {
  return Promise.all(
    store.info.partitions.map((partition, index) => {
      const epoch = store.info.epochs[index] ?? 0
      return headOf(store, { partition, epoch, seq: 0 })
    }),
  )
}

async function headOf(store: Pick<Store, 'readEvents'>, start: PartitionCursor): Promise<PartitionCursor> {
  const newestFrom = async (seq: number): Promise<number | null> => {
    const [next] = await store.readEvents({ after: { ...start, seq }, runId: null, until: null, limit: 1 })
    return next?.seq ?? null
  }
  // `known` exists (or is the start); nothing follows `end`.
  let known = (await newestFrom(0)) ?? 0
  let step = 1
  for (let next = await newestFrom(known + step); next !== null; next = await newestFrom(known + step)) {
    known = next
    step *= 2
  }
  let end = known + step
  while (known < end) {
    const middle = Math.floor((known + end) / 2)
    const next = await newestFrom(middle)
    if (next === null) end = middle
    else known = next
  }
  return { ...start, seq: known }
}
