/**
 * Looks through the history backwards, newest first, over all partitions: events are kept in the order in which they
 * were written, and what is looked for in them is rare. How far one look goes is bounded; the next one goes on
 * where it stopped.
 */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import { placeOf } from './places.ts'

/** Events that are read at once. */
const sliceMax = 500
/** Events that one look reads, or about as many. */
const lookMax = 20_000
/** What was pruned leaves stretches without any event: they are passed in ever longer strides. */
const strideMax = 1 << 20

/** Something that the events of one checkpoint tell of. */
export interface FoundBack<Found> {
  readonly found: Found
  readonly at: Instant
  /** Of its first event. */
  readonly place: PartitionCursor
  /** Of its last event: whoever looks from here finds it. */
  readonly end: PartitionCursor
}

export interface LookBack<Found> {
  /** At most as many as wanted, newest first; none of what is younger is left out. */
  readonly found: readonly FoundBack<Found>[]
  /** Where the next look begins, inclusive; null at the beginning of the history. */
  readonly next: readonly PartitionCursor[] | null
  /** All since then was looked at; null at the beginning of the history, or where there was nothing at all. */
  readonly since: Instant | null
}

export interface LookBackRequest<Found> {
  /** Where it begins, inclusive: one place per partition that isn't at its beginning. */
  readonly from: readonly PartitionCursor[]
  readonly wanted: number
  /** What the events of one checkpoint tell; null for nothing that is looked for. */
  readonly tellOf: (events: readonly EngineEvent[]) => Found | null | Promise<Found | null>
  /** What happened before that instant isn't looked for; absent or null to go on to the beginning. */
  readonly notBefore?: Instant | null
  /** Only the events of one run; absent or null for all. */
  readonly runId?: RunId | null
  /** How many of those wanted a find is; 1 when absent. */
  readonly sizeOf?: (found: Found) => number
}

export async function lookBack<Found>(
  store: Pick<Store, 'readEvents'>,
  request: LookBackRequest<Found>,
): Promise<LookBack<Found>> {
  const { from, wanted, sizeOf = () => 1 } = request
  const stretches = from.map((place) => new Stretch<Found>(store, place, request))
  const slice = Math.max(50, Math.min(sliceMax, Math.floor(lookMax / 4 / Math.max(1, from.length))))
  await Promise.all(stretches.map((stretch) => stretch.goBack(slice)))
  for (let looked = slice * stretches.length; looked < lookMax; looked += slice) {
    const since = sinceOf(stretches)
    const youngest = stretches.find((stretch) => !stretch.isDone && stretch.since === since)
    if (youngest === undefined) break
    if (countSince(stretches, { since, sizeOf }) >= wanted) break
    await youngest.goBack(slice)
  }
  return answerOf(stretches, wanted, sizeOf)
}

/** Younger than this nothing is left to be looked at. */
const sinceOf = (stretches: readonly Stretch<unknown>[]): Instant =>
  stretches.reduce(
    (last, { isDone, since }) => (isDone ? last : Math.max(last, since)),
    Number.NEGATIVE_INFINITY,
  )

function countSince<Found>(
  stretches: readonly Stretch<Found>[],
  { since, sizeOf }: { readonly since: Instant; readonly sizeOf: (found: Found) => number },
): number {
  const found = stretches.flatMap((stretch) => stretch.found.filter(({ at }) => at >= since))
  return found.reduce((sum, one) => sum + sizeOf(one.found), 0)
}

function answerOf<Found>(
  stretches: readonly Stretch<Found>[],
  wanted: number,
  sizeOf: (found: Found) => number,
): LookBack<Found> {
  const since = sinceOf(stretches)
  const known = stretches.flatMap(({ found }) => found.filter(({ at }) => at >= since))
  let size = 0
  const found = known.sort(byTime).filter((one) => {
    const isWanted = size < wanted
    size += sizeOf(one.found)
    return isWanted
  })
  const told = new Set(found)
  const next = stretches.flatMap((stretch) => {
    const [left] = stretch.found.filter((item) => !told.has(item))
    if (left !== undefined) return [left.end]
    return stretch.isDone ? [] : [stretch.place]
  })
  if (next.length === 0) return { found, next: null, since: null }
  // A full page says no more than up to its last entry.
  const last = known.length > found.length ? found.at(-1) : undefined
  const looked = Number.isFinite(since) ? since : null
  return { found, next, since: last === undefined ? looked : last.at }
}

const byTime = (a: FoundBack<unknown>, b: FoundBack<unknown>): number =>
  b.at - a.at ||
  a.place.partition - b.place.partition ||
  b.place.epoch - a.place.epoch ||
  b.place.seq - a.place.seq

/** One partition's history from a place backwards. */
class Stretch<Found> {
  readonly #store: Pick<Store, 'readEvents'>
  readonly #tellOf: LookBackRequest<Found>['tellOf']
  readonly #notBefore: Instant
  readonly #runId: RunId | null
  /** The newest event that wasn't looked at. */
  place: PartitionCursor
  isDone = false
  /** When the oldest one that was looked at happened. */
  since: Instant = Number.POSITIVE_INFINITY
  /** Newest first. */
  readonly found: FoundBack<Found>[] = []
  /** How far the next read goes back, and how much it reads, where that is more than usual. */
  #stride = 0
  #most = 0

  constructor(
    store: Pick<Store, 'readEvents'>,
    place: PartitionCursor,
    { tellOf, notBefore, runId }: Pick<LookBackRequest<Found>, 'tellOf' | 'notBefore' | 'runId'>,
  ) {
    this.#store = store
    this.place = place
    this.#tellOf = tellOf
    this.#notBefore = notBefore ?? Number.NEGATIVE_INFINITY
    this.#runId = runId ?? null
  }

  async goBack(limit: number): Promise<void> {
    if (this.isDone) return
    if (this.place.seq <= 0) await this.#toEpochBefore()
    if (this.isDone) return
    const { partition, epoch, seq } = this.place
    const most = Math.max(limit, this.#most)
    const stride = Math.max(this.#stride, most)
    const after = { partition, epoch, seq: Math.max(0, seq - stride) }
    const read = await this.#store.readEvents({ after, runId: this.#runId, until: seq, limit: most })
    const events = read.filter((event) => event.epoch === epoch && event.seq <= seq)
    if (stride > most && events.length === most && events.at(-1)?.seq !== seq) {
      // The stride went past a stretch without events, into one that has more than are read at once.
      this.#stride = Math.floor(stride / 4)
      return
    }
    this.#stride = events.length === 0 ? Math.min(strideMax, stride * 4) : 0
    await this.#look(events, { lowest: after.seq, most })
  }

  async #look(
    events: readonly EngineEvent[],
    read: { readonly lowest: number; readonly most: number },
  ): Promise<void> {
    const { lowest, most } = read
    const { partition, epoch } = this.place
    const checkpoints = checkpointsOf(events)
    this.#most = 0
    if (lowest > 0 && checkpoints.length === 1) {
      // It may have begun before what was read: nothing is told of a part.
      this.#most = most * 2
      return
    }
    // The same goes for the oldest of many: it is looked at with what comes before it.
    const cut = lowest > 0 ? checkpoints.shift() : undefined
    // Clocks are set back now and then: all that was read is looked at before the search ends.
    for (const checkpoint of checkpoints.reverse()) await this.#note(checkpoint)
    if (this.since < this.#notBefore) this.isDone = true
    this.place = { partition, epoch, seq: cut?.at(-1)?.seq ?? lowest }
  }

  async #note(events: readonly EngineEvent[]): Promise<void> {
    const [first] = events
    const last = events.at(-1)
    if (first === undefined || last === undefined) return
    this.since = Math.min(this.since, first.at)
    if (first.at < this.#notBefore) return
    const found = await this.#tellOf(events)
    if (found !== null) this.found.push({ found, at: first.at, place: placeOf(first), end: placeOf(last) })
  }

  /** An epoch's last sequence isn't written down: it is found by asking for what comes after a place. */
  async #toEpochBefore(): Promise<void> {
    const { partition, epoch: before } = this.place
    for (let epoch = before - 1; epoch > 0; epoch -= 1) {
      const has = async (seq: number): Promise<boolean> => {
        const after = { partition, epoch, seq: seq - 1 }
        const [next] = await this.#store.readEvents({ after, runId: null, until: null, limit: 1 })
        return next?.epoch === epoch
      }
      if (!(await has(1))) continue
      let low = 1
      let high = 2
      while (await has(high)) [low, high] = [high, high * 2]
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (await has(middle)) low = middle
        else high = middle
      }
      this.place = { partition, epoch, seq: low }
      return
    }
    this.isDone = true
  }
}

/** The events of each checkpoint, oldest first. */
export function checkpointsOf(events: readonly EngineEvent[]): (readonly EngineEvent[])[] {
  const checkpoints: EngineEvent[][] = []
  for (const event of events) {
    const last = checkpoints.at(-1)
    if (last?.[0]?.opId === event.opId) last.push(event)
    else checkpoints.push([event])
  }
  return checkpoints
}
