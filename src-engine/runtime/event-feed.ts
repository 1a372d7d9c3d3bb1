/**
 * The feed: every event after a cursor, in order, without gaps or repeats. Hints from the store say when to
 * look; reading is the truth. Hints that come close together cost one read.
 */

import { recordOfThrown } from '../model/errors.ts'
import type { Cursor, EngineEvent, PartitionCursor } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import { eventBatchMax } from '../model/limits.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { HiddenOutputs } from './output-policy/hidden-outputs.ts'
import { feedStart, partitionOfRun } from './run-place.ts'

export interface FeedRequest {
  readonly runId: RunId | null
  readonly cursor: Cursor | null
  readonly receive: (events: readonly EngineEvent[], cursor: Cursor) => void
}

/** A read that failed is tried again after this; the store may be busy. */
const retryMs = 250

export interface FeedDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Leaves out what readers don't see; nothing is left out when absent. */
  readonly hidden?: Pick<HiddenOutputs, 'events'>
}

/**
 * Starts to follow: one run in its partition, or all runs in all of them, where each partition's events come
 * in their order. Returns the way to stop.
 */
export function followEvents(dependencies: FeedDependencies, request: FeedRequest): () => void {
  const { info } = dependencies.store
  const { runId, cursor, receive } = request
  const wanted = runId === null ? info.partitions : [partitionOfRun(info, runId)]
  const places = new Map<number, PartitionCursor>()
  for (const partition of wanted) {
    const known = cursor?.find((place) => place.partition === partition)
    places.set(partition, known ?? feedStart(partition))
  }
  const followers = [...places.values()].map((start) => {
    const got = (events: readonly EngineEvent[], after: PartitionCursor) => {
      places.set(after.partition, after)
      receive(events, [...places.values()])
    }
    return new Follower(dependencies, { runId, start, got })
  })
  for (const follower of followers) follower.start()
  return () => {
    for (const follower of followers) follower.stop()
  }
}

/** What one follower reads of one partition. */
interface Following {
  readonly runId: RunId | null
  readonly start: PartitionCursor
  readonly got: (events: readonly EngineEvent[], after: PartitionCursor) => void
}

class Follower {
  readonly #dependencies: FeedDependencies
  readonly #following: Following
  #after: PartitionCursor
  #stopped = false
  #reading = false
  #again = false
  #unwatch: () => void = () => {}

  constructor(dependencies: FeedDependencies, following: Following) {
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
  }

  #look(): void {
    if (this.#stopped) return
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = true
    this.#read().then(
      () => this.#done(),
      (thrown: unknown) => {
        const { log, clock } = this.#dependencies
        log.warn('feed.failed', { error: recordOfThrown(thrown).message })
        this.#reading = false
        clock.after(retryMs, () => this.#look())
      },
    )
  }

  #done(): void {
    this.#reading = false
    if (!this.#again) return
    this.#again = false
    this.#look()
  }

  async #read(): Promise<void> {
    const { store } = this.#dependencies
    const { runId, got } = this.#following
    for (;;) {
      const events = await store.readEvents({ after: this.#after, runId, until: null, limit: eventBatchMax })
      const last = events.at(-1)
      if (last === undefined || this.#stopped) return
      this.#after = { partition: last.partition, epoch: last.epoch, seq: last.seq }
      const { hidden } = this.#dependencies
      got(hidden === undefined ? events : await hidden.events(events), this.#after)
      if (this.#stopped) return
      if (events.length < eventBatchMax) return
    }
  }
}
