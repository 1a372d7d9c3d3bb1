/**
 * The events of a run from its first. A log only grows; what a view holds on to stays what it was, and nothing is
 * copied when more comes: all logs of a run share one list, and each knows how much of it is its own.
 */

import type { EngineEvent } from '../../src-engine/model/event.ts'

export class EventLog {
  readonly length: number
  readonly #all: EngineEvent[]

  private constructor(all: EngineEvent[], length: number) {
    this.#all = all
    this.length = length
  }

  static empty(): EventLog {
    return new EventLog([], 0)
  }

  /** The same with more at its end. */
  append(events: readonly EngineEvent[]): EventLog {
    // Somebody else went on from here: the list is theirs.
    const all = this.#all.length === this.length ? this.#all : this.#all.slice(0, this.length)
    for (const event of events) all.push(event)
    return new EventLog(all, all.length)
  }

  /** The event at a place from 0 on; undefined beyond the end. */
  at(place: number): EngineEvent | undefined {
    return place < this.length ? this.#all[place] : undefined
  }

  slice(from: number, to: number): readonly EngineEvent[] {
    return this.#all.slice(from, Math.min(to, this.length))
  }
}
