/**
 * The feed: every event after a cursor, in order, without gaps or repeats. Hints from the store say when to
 * look; reading is the truth. Hints that come close together cost one read. Who only hands events on is given them
 * in the groups that the store keeps, which nobody has to read and hash for it.
 */

import { recordOfThrown } from '../model/errors.ts'
import type { Cursor, EngineEvent, EventDraft, PartitionCursor } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import { eventBatchMax } from '../model/limits.ts'
import type { FeedItem } from '../model/packed-group.ts'
import { isGroup, narrowed } from '../model/packed-group.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import { isUsual } from '../model/usual-events.ts'
import type { GroupQuery } from '../store/group-page.ts'
import type { Store } from '../store/store.ts'
import type { HiddenOutputs } from './output-policy/hidden-outputs.ts'
import { feedStart, partitionOfRun } from './run-place.ts'

/** What is followed. */
export type FeedRequest = PlainFeed | PackedFeed

interface Followed {
  readonly runId: RunId | null
  readonly cursor: Cursor | null
}

interface PlainFeed extends Followed {
  readonly form?: 'events'
  readonly receive: (events: readonly EngineEvent[], cursor: Cursor) => void
}

/** For who hands events on, or needs few of them. */
interface PackedFeed extends Followed {
  /** Events come in the store's groups where it has them at hand, without their hashes. */
  readonly form: 'packed'
  /**
   * The only events that are given, and no usual ones (`isUsual`), which aren't read for it; all when absent. Others are told
   * by an empty list and the place after them.
   */
  readonly wants?: (event: Pick<EventDraft, 'cause' | 'body'>) => boolean
  /** Nothing is read more often than it says: whoever shows it couldn't show it either. At every hint when absent. */
  readonly paceMs?: () => Millis
  readonly receive: (items: readonly FeedItem[], cursor: Cursor) => void
}

/** A read that failed is tried again after this; the store may be busy. */
const retryMs = 250

export interface FeedDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Leaves out what readers don't see; nothing is left out when absent. */
  readonly hidden?: Pick<HiddenOutputs, 'events' | 'concerns'>
}

/**
 * Starts to follow: one run in its partition, or all runs in all of them, where each partition's events come
 * in their order. Returns the way to stop.
 */
export function followEvents(dependencies: FeedDependencies, request: FeedRequest): () => void {
  const { info } = dependencies.store
  const { runId, cursor } = request
  const wanted = runId === null ? info.partitions : [partitionOfRun(info, runId)]
  const places = new Map<number, PartitionCursor>()
  for (const partition of wanted) {
    const known = cursor?.find((place) => place.partition === partition)
    places.set(partition, known ?? feedStart(partition))
  }
  const at = (place: PartitionCursor): Cursor => {
    places.set(place.partition, place)
    return [...places.values()]
  }
  const followers = [...places.values()].map((start) =>
    request.form === 'packed'
      ? new Follower<FeedItem>(dependencies, {
          ...{ start, runId, paceMs: request.paceMs ?? atOnce, read: packedReader(dependencies, request) },
          got: (items, after) => request.receive(items, at(after)),
        })
      : new Follower<EngineEvent>(dependencies, {
          ...{ start, runId, paceMs: atOnce, read: (query) => readPlain(dependencies, query) },
          got: (events, after) => request.receive(events, at(after)),
        }),
  )
  for (const follower of followers) follower.start()
  return () => {
    for (const follower of followers) follower.stop()
  }
}

const atOnce = (): Millis => 0

/** What was found after a place. */
interface Found<Item> {
  readonly items: readonly Item[]
  /** The place after all of it; null when nothing of what is followed was there. */
  readonly after: PartitionCursor | null
  /** Where to look from next. */
  readonly end: PartitionCursor
  /** Whether more may be there. */
  readonly isFull: boolean
}

async function readPlain(
  { store, hidden }: FeedDependencies,
  query: GroupQuery,
): Promise<Found<EngineEvent>> {
  const events = await store.readEvents({ ...query, until: null })
  const last = events.at(-1)
  if (last === undefined) return { items: [], after: null, end: query.after, isFull: false }
  const { partition, epoch, seq } = last
  const end = { partition, epoch, seq }
  const items = hidden === undefined ? events : await hidden.events(events)
  return { items, after: end, end, isFull: events.length >= query.limit }
}

function packedReader(
  dependencies: FeedDependencies,
  { wants }: PackedFeed,
): (query: GroupQuery) => Promise<Found<FeedItem>> {
  return async (query) => {
    const found = (await readGroups(dependencies, query)) ?? (await readPlain(dependencies, query))
    return wants === undefined ? found : { ...found, items: wantedOf(found.items, wants) }
  }
}

function wantedOf(items: readonly FeedItem[], wants: NonNullable<PackedFeed['wants']>): readonly FeedItem[] {
  return items.flatMap((item): readonly FeedItem[] => {
    if (!isGroup(item)) return !isUsual(item) && wants(item) ? [item] : []
    if (item.isUsual === true) return []
    const group = narrowed(item, (draft) => !isUsual(draft) && wants(draft))
    return group === null ? [] : [group]
  })
}

/** Null where they aren't to be had, or what readers don't see has to be taken out of them. */
async function readGroups(
  { store, hidden }: FeedDependencies,
  query: GroupQuery,
): Promise<Found<FeedItem> | null> {
  const page = (await store.readGroups?.(query)) ?? null
  if (page === null || (await hidden?.concerns(page.groups)) === true) return null
  const { groups, end, isFull } = page
  return { items: groups, after: groups.length === 0 ? null : end, end, isFull }
}

/** What one follower reads of one partition. */
interface Following<Item> {
  readonly runId: RunId | null
  readonly start: PartitionCursor
  readonly paceMs: () => Millis
  readonly read: (query: GroupQuery) => Promise<Found<Item>>
  readonly got: (items: readonly Item[], after: PartitionCursor) => void
}

class Follower<Item> {
  readonly #dependencies: FeedDependencies
  readonly #following: Following<Item>
  #after: PartitionCursor
  #stopped = false
  #reading = false
  #again = false
  #unwatch: () => void = () => {}
  /** Set until the next look may be. */
  #cancelPause: (() => void) | null = null

  constructor(dependencies: FeedDependencies, following: Following<Item>) {
    this.#dependencies = dependencies
    this.#following = following
    this.#after = following.start
  }

  start(): void {
    this.#unwatch = this.#dependencies.store.watch(this.#after.partition, () => this.#look())
    this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#unwatch()
    this.#cancelPause?.()
  }

  #look(): void {
    if (this.#stopped) return
    if (this.#reading || this.#cancelPause !== null) {
      this.#again = true
      return
    }
    this.#again = false
    this.#reading = true
    this.#pause()
    this.#read().then(
      () => {
        this.#reading = false
        this.#lookAgain()
      },
      (thrown: unknown) => {
        const { log, clock } = this.#dependencies
        log.warn('feed.failed', { error: recordOfThrown(thrown).message })
        this.#reading = false
        clock.after(retryMs, () => this.#look())
      },
    )
  }

  /** Counted from the look on: who shows what was found has a frame for it. */
  #pause(): void {
    const paceMs = this.#following.paceMs()
    if (paceMs === 0) return
    this.#cancelPause = this.#dependencies.clock.after(paceMs, () => {
      this.#cancelPause = null
      this.#lookAgain()
    })
  }

  #lookAgain(): void {
    if (this.#again) this.#look()
  }

  async #read(): Promise<void> {
    const { runId, got, read } = this.#following
    for (;;) {
      const found = await read({ after: this.#after, runId, limit: eventBatchMax })
      if (this.#stopped) return
      this.#after = found.end
      if (found.after !== null) got(found.items, found.after)
      if (this.#stopped || !found.isFull) return
    }
  }
}
