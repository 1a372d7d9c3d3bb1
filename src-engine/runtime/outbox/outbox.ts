/**
 * Brings about what decisions mean for other runs: at once after the checkpoint that says so, and at start
 * and at an interval what a crash or a failure left. Repeating an effect changes nothing; so it is taken off
 * the list only after it.
 */

import type { Decision } from '../../core/draft.ts'
import type { OutboxRecord } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import type { Effect } from '../../model/effect.ts'
import { effectOf } from '../../model/effect.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Instant } from '../../model/time.ts'
import type { RunnerDependencies } from '../runner.ts'

/** A file that is locked or a disk that is full: soon tried again, then left to the replayer. */
const triesMax = 5

export interface Outbox {
  /** This process committed the decision: what it means for others is brought about now. */
  readonly committed: (decision: Decision) => void
  /** Brings about one that was just committed; throws when that fails: then the replayer tries it again. */
  readonly deliver: (record: OutboxRecord) => Promise<void>
  /** Brings about what has been waiting since the instant or longer. Resolves when each was tried. */
  readonly repair: (writtenBefore: Instant) => Promise<void>
  /** Begins no more; resolves when nothing is under way. */
  readonly stop: () => Promise<void>
}

export type BringAbout = (effect: Effect) => Promise<void>

/** The outbox as this process empties it. */
export function createOutbox(dependencies: RunnerDependencies, bringAbout: BringAbout): Outbox {
  return new DurableOutbox(dependencies, bringAbout)
}

class DurableOutbox implements Outbox {
  readonly #dependencies: RunnerDependencies
  readonly #bringAbout: BringAbout
  readonly #underWay = new Map<string, Promise<void>>()
  #stopped = false

  constructor(dependencies: RunnerDependencies, bringAbout: BringAbout) {
    this.#dependencies = dependencies
    this.#bringAbout = bringAbout
  }

  committed(decision: Decision): void {
    for (const record of decision.checkpoint.writes.outbox) void this.#tryToDeliver(record)
  }

  deliver(record: OutboxRecord): Promise<void> {
    const known = this.#underWay.get(record.id)
    if (known !== undefined || this.#stopped) return known ?? Promise.resolve()
    const delivery = this.#deliver(record).finally(() => this.#underWay.delete(record.id))
    this.#underWay.set(record.id, delivery)
    return delivery
  }

  async repair(writtenBefore: Instant): Promise<void> {
    const { store, partition } = this.#dependencies
    for (let after: string | null = null; !this.#stopped; ) {
      const page: readonly OutboxRecord[] = await store.list(partition, 'outbox', {
        filter: { dueBefore: writtenBefore },
        page: { after, limit: pageSizeMax },
      })
      const tried = await Promise.all(page.map((record) => this.#tryToDeliver(record)))
      const count = tried.filter(Boolean).length
      if (count > 0) this.#dependencies.log.info('replayer.replayed', { count })
      after = page.at(-1)?.id ?? null
      if (page.length < pageSizeMax || after === null) return
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.allSettled(this.#underWay.values())
  }

  /** One that fails must not keep the others: it stays on the list. */
  async #tryToDeliver(record: OutboxRecord, tries = 1): Promise<boolean> {
    try {
      await this.deliver(record)
      return true
    } catch (thrown) {
      const { clock, log, settings } = this.#dependencies
      log.warn('effect.failed', { effect: record.id, tries, error: recordOfThrown(thrown).message })
      if (tries < triesMax) {
        clock.after(settings.retryDelayPublishMs, () => {
          if (!this.#stopped) void this.#tryToDeliver(record, tries + 1)
        })
      }
      return false
    }
  }

  async #deliver(record: OutboxRecord): Promise<void> {
    const { store, partition, executor, runnerId, clock } = this.#dependencies
    executor.failpoints('effect.before-delivery')
    await this.#bringAbout(effectOf(record))
    executor.failpoints('effect.after-delivery')
    await store.commit(partition, [
      {
        partition,
        opId: opId(`delivered:${record.id}:${clock.now()}`),
        actor: { kind: 'run', id: runnerId },
        at: clock.now(),
        expect: { invocations: [], registers: [] },
        writes: { ...noWrites, delivered: [record.id] },
        events: [],
      },
    ])
    executor.failpoints('effect.delivered')
  }
}
