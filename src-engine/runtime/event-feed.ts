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

export interface FeedRequest {
  readonly runId: RunId | null
  readonly cursor: Cursor | null
  readonly receive: (events: readonly EngineEvent[], cursor: Cursor) => void
}

/** A read that failed is tried again after this; the store may be busy. */
const retryMs = 250

export interface FeedDependencies {
  readonly store: Store
  readonly partition: number
  readonly clock: Clock
  readonly log: Logger
}

/** Starts to follow; returns the way to stop. */
export function followEvents(dependencies: FeedDependencies, request: FeedRequest): () => void {
  const follower = new Follower(dependencies, request)
  follower.start()
  return () => follower.stop()
}

class Follower {
  readonly #dependencies: FeedDependencies
  readonly #request: FeedRequest
  #after: PartitionCursor
  #stopped = false
  #reading = false
  #again = false
  #unwatch: () => void = () => {}

  constructor(dependencies: FeedDependencies, request: FeedRequest) {
    this.#dependencies = dependencies
    this.#request = request
    const { partition, store } = dependencies
    const start = { partition, epoch: store.info.epochs[partition] ?? 0, seq: 0 }
    this.#after = request.cursor?.find((place) => place.partition === partition) ?? start
  }

  start(): void {
    this.#unwatch = this.#dependencies.store.watch(this.#dependencies.partition, () => this.#look())
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
    const { runId, receive } = this.#request
    for (;;) {
      const events = await store.readEvents({ after: this.#after, runId, until: null, limit: eventBatchMax })
      const last = events.at(-1)
      if (last === undefined || this.#stopped) return
      this.#after = { partition: last.partition, epoch: last.epoch, seq: last.seq }
      receive(events, [this.#after])
      if (events.length < eventBatchMax) return
    }
  }
}
