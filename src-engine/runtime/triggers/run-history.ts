/**
 * Reads what happens to runs for the triggers that wait for that: out of the history of all partitions, which has
 * everything that was committed, in order and without gaps. While no trigger does, nobody reads.
 *
 * One process reads at a time, to save work. Two would do no harm: each occurrence is known by itself, and the
 * place up to which everything is answered moves only by who knows where it was.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import type { Locks } from '../locks/locks.ts'
import type { TriggerCatalogue } from './catalogue.ts'
import type { LookedUpTo } from './history-places.ts'
import { isBehind, keepPlace, loadPlace } from './history-places.ts'
import { moveOf } from './run-moves.ts'
import type { RunTriggersParts } from './run-triggers.ts'
import { answerMove, mayConcern } from './run-triggers.ts'
import { runStatusKind } from './trigger-kinds.ts'

export interface RunHistory {
  /** Begins to read, once there is a trigger for it. Legal twice. */
  readonly start: () => void
  /** There may be news: triggers, or something that happened. Nothing before the start, or after the stop. */
  readonly look: () => void
  /** Resolves when all that had happened is answered, whoever else is reading. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface RunHistoryParts extends RunTriggersParts {
  readonly clock: Clock
  readonly log: Logger
  readonly catalogue: TriggerCatalogue
  readonly locks: Pick<Locks, 'hold'>
}

/** The hold of whoever reads. */
const holdKey = 'triggers-heard'
const holdMs: Millis = 10 * second
/** What happens within this span is read together. */
const gatherMs: Millis = 100
/** After a failure, or while somebody else reads. */
const retryMs: Millis = second
/** The place is kept once so many events were passed, or something was answered. */
const keepEvery = 5_000

/** Not started yet. */
export function createRunHistory(parts: RunHistoryParts): RunHistory {
  return new Reader(parts)
}

class Reader implements RunHistory {
  readonly #parts: RunHistoryParts
  #running = false
  #heldUntil: Millis = Number.NEGATIVE_INFINITY
  #places = new Map<number, LookedUpTo>()
  #unkept = new Map<number, number>()
  #reading: Promise<void> | null = null
  #again = false
  /** Partitions that may have news. */
  readonly #news = new Set<number>()
  #cancel: (() => void) | null = null
  #unwatch: (() => void)[] = []

  constructor(parts: RunHistoryParts) {
    this.#parts = parts
  }

  start(): void {
    this.#running = true
  }

  look(): void {
    this.#newsOfAll()
    this.#lookIn(0)
  }

  async catchUp(): Promise<void> {
    await this.#reading
    const triggers = await this.#parts.catalogue.ofKind(runStatusKind)
    this.#newsOfAll()
    if (triggers.length > 0) await this.#readAll(triggers)
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#cancel?.()
    this.#cancel = null
    this.#listen(false)
    await this.#reading
  }

  #lookIn(ms: Millis): void {
    if (!this.#running) return
    if (this.#reading !== null) {
      this.#again = true
      return
    }
    if (ms > 0 && this.#cancel !== null) return
    this.#cancel?.()
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#cancel = null
      this.#turn()
    })
  }

  #turn(): void {
    this.#again = false
    let pauseMs = gatherMs
    this.#reading = this.#takeTurn()
      .then(
        (isMine) => {
          if (!isMine) pauseMs = retryMs
        },
        (thrown: unknown) => {
          this.#parts.log.warn('triggers.history-failed', { error: recordOfThrown(thrown).message })
          pauseMs = retryMs
          this.#again = true
        },
      )
      .finally(() => {
        this.#reading = null
        if (this.#again) this.#lookIn(pauseMs)
      })
  }

  /** Resolves with false while somebody else reads. */
  async #takeTurn(): Promise<boolean> {
    const triggers = await this.#parts.catalogue.ofKind(runStatusKind)
    this.#listen(triggers.length > 0)
    if (triggers.length === 0) {
      this.#forget()
      return true
    }
    if (!(await this.#hasNews(triggers))) return true
    if (!(await this.#mayRead())) return false
    await this.#readAll(triggers)
    return true
  }

  /** Whether anything was written after what was read: nobody takes the hold for nothing. */
  async #hasNews(triggers: readonly TriggerRecord[]): Promise<boolean> {
    for (const partition of [...this.#news]) {
      // Before the look: what is told meanwhile is looked at again.
      this.#news.delete(partition)
      const isNew = await this.#isBehind(triggers, partition).catch(() => true)
      if (!isNew) continue
      this.#news.add(partition)
      return true
    }
    return false
  }

  async #isBehind(triggers: readonly TriggerRecord[], partition: number): Promise<boolean> {
    const end = await this.#parts.store.load(partition, 'feedEnd', {})
    return isBehind(end, (await this.#placeIn(triggers, partition)).place)
  }

  async #placeIn(triggers: readonly TriggerRecord[], partition: number): Promise<LookedUpTo> {
    const known = this.#places.get(partition) ?? (await loadPlace(this.#parts, partition))
    this.#places.set(partition, known)
    const begins = beginningOf(triggers, partition)
    return begins !== null && isBehind(begins, known.place) ? { ...known, place: begins } : known
  }

  #newsOfAll(): void {
    for (const partition of this.#parts.store.info.partitions) this.#news.add(partition)
  }

  #forget(): void {
    this.#places.clear()
    this.#unkept.clear()
  }

  #listen(wanted: boolean): void {
    if (wanted === this.#unwatch.length > 0) return
    for (const unwatch of this.#unwatch) unwatch()
    const { store } = this.#parts
    this.#unwatch =
      wanted && this.#running
        ? store.info.partitions.map((partition) =>
            store.watch(partition, () => {
              this.#news.add(partition)
              this.#lookIn(gatherMs)
            }),
          )
        : []
  }

  async #mayRead(): Promise<boolean> {
    const { clock, locks } = this.#parts
    const now = clock.monotonic()
    if (now < this.#heldUntil) return true
    if (!(await locks.hold(holdKey, holdMs, 0))) {
      this.#forget()
      return false
    }
    this.#heldUntil = now + holdMs / 2
    return true
  }

  /** A partition that can't be read keeps the others from nothing. */
  async #readAll(triggers: readonly TriggerRecord[]): Promise<void> {
    const failures: unknown[] = []
    for (const partition of [...this.#news]) {
      this.#news.delete(partition)
      try {
        await this.#readOne(triggers, partition)
      } catch (thrown) {
        failures.push(thrown)
        this.#news.add(partition)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #readOne(triggers: readonly TriggerRecord[], partition: number): Promise<void> {
    const { store } = this.#parts
    const end = await store.load(partition, 'feedEnd', {})
    let upTo = await this.#placeIn(triggers, partition)
    while (isBehind(end, upTo.place)) {
      const { place: after } = upTo
      const events = await store.readEvents({ after, runId: null, until: null, limit: eventBatchMax })
      if (events.length === 0) break
      const { answered, passed, failure } = await this.#answer(events)
      const last = events[passed - 1]
      if (last !== undefined) upTo = { ...upTo, place: { partition, epoch: last.epoch, seq: last.seq } }
      // Whatever keeps it from the rest: what is answered needs no second look.
      this.#places.set(partition, upTo)
      const unkept = (this.#unkept.get(partition) ?? 0) + passed
      const isDue = answered > 0 || unkept >= keepEvery
      this.#unkept.set(partition, isDue ? 0 : unkept)
      if (isDue) upTo = await this.#keep(upTo)
      this.#places.set(partition, upTo)
      if (failure !== null) throw failure.thrown
    }
    this.#places.set(partition, upTo)
  }

  /** Somebody else reads, too, where the place was moved: then this one begins anew. */
  async #keep(upTo: LookedUpTo): Promise<LookedUpTo> {
    const kept = await keepPlace(this.#parts, upTo)
    if (kept !== null) return kept
    this.#heldUntil = Number.NEGATIVE_INFINITY
    return loadPlace(this.#parts, upTo.place.partition)
  }

  /** Answers one after the other, up to the first that fails. */
  async #answer(events: readonly EngineEvent[]): Promise<Answered> {
    // After the events: whatever was published before one of them is there.
    const triggers = await this.#parts.catalogue.ofKind(runStatusKind)
    let answered = 0
    for (const [passed, event] of events.entries()) {
      const move = moveOf(event)
      if (move === null) continue
      const concerned = triggers.filter((trigger) => mayConcern(trigger, move))
      if (concerned.length === 0) continue
      try {
        answered += await answerMove(this.#parts, move, concerned)
      } catch (thrown) {
        return { answered, passed, failure: { thrown } }
      }
    }
    return { answered, passed: events.length, failure: null }
  }
}

interface Answered {
  /** Triggers that were asked. */
  readonly answered: number
  /** Events that need no further look, from the first one on. */
  readonly passed: number
  readonly failure: { readonly thrown: unknown } | null
}

/** Where the first of them begins to look; null where one of them can't tell. */
function beginningOf(triggers: readonly TriggerRecord[], partition: number): PartitionCursor | null {
  let first: PartitionCursor | null = null
  for (const { heardFrom } of triggers) {
    const from = heardFrom?.find((place) => place.partition === partition)
    if (from === undefined) return null
    if (first === null || isBehind(first, from)) first = from
  }
  return first
}
