/**
 * Reads the events of a timeline once, a few at a time, for all that is made of each of them: the rows that are drawn,
 * and the keyframes that a jump begins at. So no task of the page is as long as its run, and of what is read nothing is
 * kept but that.
 */

import type { EventChange } from '../../src-engine/model/event.ts'
import type { EventLog } from './event-log.ts'
import { Keyframes } from './keyframes.ts'
import type { Rows } from './timeline-rows.ts'
import { RowsBuilder } from './timeline-rows.ts'

/** About a millisecond's work. */
const stepUsual = 250

export class TimelineReading {
  readonly keyframes: Keyframes
  readonly #rows = new RowsBuilder()
  readonly #step: number
  /** Those since the last keyframe. */
  #pending: EventChange[] = []
  #read = 0

  /** `step` events at a time, which divide the spacing of the keyframes. */
  constructor(step = stepUsual, keyframes = new Keyframes()) {
    this.#step = step
    this.keyframes = keyframes
  }

  /** How many events were read. */
  get read(): number {
    return this.#read
  }

  /** Reads the next few; says whether the log has more. */
  step(log: EventLog): boolean {
    // As they are asked for, steps end where keyframes are.
    const to = Math.min(log.length, this.#read - (this.#read % this.#step) + this.#step)
    if (to > this.#read) {
      const changes = log.changes(this.#read, to)
      this.#rows.take(changes)
      this.#read = to
      for (const change of changes) this.#pending.push(change)
      if (to % this.keyframes.spacing === 0) {
        this.keyframes.grow(this.#pending)
        this.#pending = []
      }
    }
    return this.#read < log.length
  }

  /** What the events that were read look like. */
  rows(): Rows {
    return this.#rows.rows()
  }
}
