/**
 * The events of a run from its first, packed as they came until somebody looks at one of them: what they change can be
 * read without making them. A log only grows; what a view holds
 * on to stays what it was, and nothing is copied when more comes: all logs of a run share one list, and each knows how
 * much of it is its own.
 */

import type { EngineEvent, EventChange } from '../../src-engine/model/event.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import { changesOfWire, countOfWire, eventsOfWire } from '../../src-engine/model/packed-group.ts'

/** What comes of a run: an event, or those of a checkpoint. */
export type LogPiece = EngineEvent | WireGroup

/** What came, and what of it was read. */
type KeptPiece = LogPiece | readonly EngineEvent[]

interface Kept {
  readonly pieces: KeptPiece[]
  /** How many events there are up to and with each piece. */
  readonly ends: number[]
}

export class EventLog {
  readonly length: number
  readonly #kept: Kept
  /** How many of the pieces are its own. */
  readonly #count: number

  private constructor(kept: Kept, length: number) {
    this.#kept = kept
    this.#count = kept.pieces.length
    this.length = length
  }

  static empty(): EventLog {
    return new EventLog({ pieces: [], ends: [] }, 0)
  }

  /** The same with more at its end. */
  append(added: readonly LogPiece[]): EventLog {
    const kept = this.#own()
    let { length } = this
    for (const piece of added) {
      length += isGroup(piece) ? countOfWire(piece) : 1
      kept.pieces.push(piece)
      kept.ends.push(length)
    }
    return new EventLog(kept, length)
  }

  /** The event at a place from 0 on; undefined beyond the end. */
  at(place: number): EngineEvent | undefined {
    if (place < 0 || place >= this.length) return undefined
    const piece = this.#pieceOf(place)
    const events = this.#read(piece)
    return isList(events) ? events[place - this.#beginOf(piece)] : events
  }

  slice(from: number, to: number): readonly EngineEvent[] {
    return this.#between(from, to, (piece) => this.#read(piece))
  }

  /** What the events there change. Nothing of it is kept: the log stays as small as it came. */
  changes(from: number, to: number): readonly EventChange[] {
    const { pieces } = this.#kept
    return this.#between<EventChange>(from, to, (place) => {
      const piece = pieces[place] ?? []
      return isGroup(piece) ? changesOfWire(piece) : piece
    })
  }

  /** What is read of the pieces, from one place to another. */
  #between<T>(from: number, to: number, read: (piece: number) => T | readonly T[]): readonly T[] {
    const end = Math.min(to, this.length)
    const found: T[] = []
    if (from >= end) return found
    for (let piece = this.#pieceOf(from), place = this.#beginOf(piece); place < end; piece += 1) {
      const some = read(piece)
      for (const one of Array.isArray(some) ? (some as readonly T[]) : [some as T]) {
        if (place >= from && place < end) found.push(one)
        place += 1
      }
    }
    return found
  }

  /** Somebody else may have gone on from here: then the list is theirs. */
  #own(): Kept {
    const { pieces, ends } = this.#kept
    if (pieces.length === this.#count) return this.#kept
    return { pieces: pieces.slice(0, this.#count), ends: ends.slice(0, this.#count) }
  }

  /** The first piece that ends behind a place. */
  #pieceOf(place: number): number {
    const { ends } = this.#kept
    let [low, high] = [0, this.#count]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) > place) high = middle
      else low = middle + 1
    }
    return low
  }

  #beginOf(piece: number): number {
    return piece === 0 ? 0 : (this.#kept.ends[piece - 1] ?? 0)
  }

  /** Unpacks a group once: whoever reads it again gets the same events. */
  #read(place: number): EngineEvent | readonly EngineEvent[] {
    const { pieces } = this.#kept
    const piece = pieces[place] ?? []
    if (!isGroup(piece)) return piece
    const events = eventsOfWire([piece])
    const [only] = events
    const read = only !== undefined && events.length === 1 ? only : events
    pieces[place] = read
    return read
  }
}

const isList = (piece: KeptPiece): piece is WireGroup | readonly EngineEvent[] => Array.isArray(piece)

/** A group begins with its place, a list with an event. */
const isGroup = (piece: KeptPiece): piece is WireGroup => isList(piece) && typeof piece[0] === 'number'
