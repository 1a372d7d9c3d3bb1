/**
 * The operations of one process that a failover could still take back, in memory and behind it in a file. What all
 * replicas have leaves it; so does what is too old, or too much, and that is remembered.
 */

import type { OpId } from '../../../model/ids.ts'
import type { Instant, Millis } from '../../../model/time.ts'
import type { Unit } from '../unit.ts'
import type { JournalEntry, Place } from './entry.ts'
import { comparePlaces } from './entry.ts'

/** Where the journal is kept beyond the process. */
export interface JournalKeeper {
  readonly append: (entry: JournalEntry) => void
  /** Its place is another now. */
  readonly moved: (entry: JournalEntry) => void
  /** Replicas have it, or it is too old. */
  readonly dropped: (entry: JournalEntry) => void
  /** It is lost for good, and that was told. */
  readonly gaveUp: (entry: JournalEntry) => void
  /** Writes down what was told since. */
  readonly flush: () => void
}

export interface JournalBounds {
  readonly entries: number
  readonly bytes: number
  readonly ageMs: Millis
}

/** Seconds of the fastest work; a server without replicas never acknowledges any of it. */
const journalBounds: JournalBounds = { entries: 20_000, bytes: 32_000_000, ageMs: 600_000 }

/** What is noted of an operation. */
export interface Noted {
  readonly opId: OpId
  readonly unit: Unit
  readonly place: Place
  readonly at: Instant
}

export class OpJournal {
  readonly #bounds: JournalBounds
  readonly #keeper: JournalKeeper | null
  /** In order of noting. */
  readonly #entries = new Map<number, JournalEntry>()
  readonly #byPartition = new Map<number, Map<number, JournalEntry>>()
  /** The newest of each partition that left without having been acknowledged. */
  readonly #cutAt = new Map<number, Place>()
  /** Who waits for all up to a number to leave, in their order. */
  readonly #waiting: { readonly upTo: number; readonly left: () => void }[] = []
  #bytes = 0
  #last = 0
  #givenUp = 0

  constructor(keeper: JournalKeeper | null, bounds: JournalBounds = journalBounds) {
    this.#keeper = keeper
    this.#bounds = bounds
  }

  /** How many it holds. */
  get size(): number {
    return this.#entries.size
  }

  /** The newest turn; 0 for none. */
  get last(): number {
    return this.#last
  }

  /** How many were lost for good. */
  get givenUp(): number {
    return this.#givenUp
  }

  /** Resolves when all that was noted so far has left. */
  left(): Promise<void> {
    if (this.#entries.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ upTo: this.#last, left: resolve }))
  }

  partitions(): readonly number[] {
    return [...this.#byPartition.keys()]
  }

  /** In the order of their places. */
  entriesOf(partition: number): readonly JournalEntry[] {
    const entries = [...(this.#byPartition.get(partition)?.values() ?? [])]
    return entries.sort((a, b) => comparePlaces(a.place, b.place) || a.number - b.number)
  }

  /** Where the newest operation was that is too old for the journal and that no replica was known to have. */
  cutAt(partition: number): Place | null {
    return this.#cutAt.get(partition) ?? null
  }

  /** Told of after `flush`. */
  note(partition: number, { opId, unit, place, at }: Noted): void {
    this.#last += 1
    const size = sizeOf(unit)
    const number = this.#last
    const entry: JournalEntry = { number, turn: number, partition, opId, notedAt: at, size, place, unit }
    this.#entries.set(entry.number, entry)
    let own = this.#byPartition.get(partition)
    if (own === undefined) {
      own = new Map()
      this.#byPartition.set(partition, own)
    }
    own.set(entry.number, entry)
    this.#bytes += size
    this.#keeper?.append(entry)
    while (this.#entries.size > this.#bounds.entries || this.#bytes > this.#bounds.bytes) this.#cutOldest()
  }

  flush(): void {
    this.#keeper?.flush()
  }

  /** The operation was written again, or found, at another place. */
  move(entry: JournalEntry, place: Place, unit: Unit): void {
    this.#last += 1
    entry.turn = this.#last
    entry.place = place
    entry.unit = unit
    this.#keeper?.moved(entry)
  }

  /** It is lost for good, which nobody has been told of yet: until then it stays. */
  giveUp(): void {
    this.#givenUp += 1
  }

  /** That it is lost for good has been told. */
  told(entry: JournalEntry): void {
    this.#keeper?.gaveUp(entry)
    this.drop(entry)
  }

  drop(entry: JournalEntry): void {
    if (!this.#entries.delete(entry.number)) return
    this.#bytes -= entry.size
    const own = this.#byPartition.get(entry.partition)
    own?.delete(entry.number)
    if (own?.size === 0) this.#byPartition.delete(entry.partition)
    this.#keeper?.dropped(entry)
    this.#tellWaiting()
  }

  #tellWaiting(): void {
    if (this.#waiting.length === 0) return
    const [oldest = Number.POSITIVE_INFINITY] = this.#entries.keys()
    for (let [first] = this.#waiting; first !== undefined && first.upTo < oldest; [first] = this.#waiting) {
      this.#waiting.shift()
      first.left()
    }
  }

  /** All that was written up to the turn is on every replica, in these partitions and their epochs. */
  acknowledged(upTo: number, epochs: Iterable<readonly [partition: number, epoch: number]>): void {
    for (const [partition, epoch] of epochs) {
      for (const entry of this.#byPartition.get(partition)?.values() ?? []) {
        // Those that follow were noted later still.
        if (entry.number > upTo) break
        if (entry.turn <= upTo && entry.place.epoch === epoch) this.drop(entry)
      }
    }
  }

  /** Gives up what is too old. */
  expire(now: Instant): void {
    for (const entry of this.#entries.values()) {
      if (entry.notedAt > now - this.#bounds.ageMs) return
      this.#cut(entry)
    }
  }

  #cutOldest(): void {
    const [oldest] = this.#entries.values()
    if (oldest !== undefined) this.#cut(oldest)
  }

  #cut(entry: JournalEntry): void {
    const before = this.#cutAt.get(entry.partition)
    if (before === undefined || comparePlaces(before, entry.place) < 0) {
      this.#cutAt.set(entry.partition, entry.place)
    }
    this.drop(entry)
  }
}

/** Texts are most of it; the rest is about as much for each write. */
const sizeOf = ({ hashes, ops, parts }: Unit): number => {
  let size = 400 + ops.length * 120
  for (const { written, sets } of hashes) size += written.length * 200 + sets.length * 60
  for (const { text } of parts) size += 4 * text.length
  return size
}
