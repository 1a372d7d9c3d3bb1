/**
 * A run at any of its events: the records are kept at every so many events, and what lies between is applied anew. So
 * the way to any moment is as short as to any other, however long the run.
 */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'
import { applyEvents, emptyReplay } from '../../src-engine/model/replay.ts'
import type { EventLog } from './event-log.ts'

/** So many that aren't made yet are made for a jump at once; more would be felt. */
const madeAtOnce = 2

/** Fewer make a move dearer, more cost memory: each holds a reference to every record there is by then. */
const spacingUsual = 1_000

export class Keyframes {
  readonly #spacing: number
  readonly #apply: (state: ReplayState, events: readonly EngineEvent[]) => ReplayState
  /** After 0, `spacing`, 2 × `spacing` … events. */
  readonly #kept: ReplayState[] = [emptyReplay]

  constructor(spacing = spacingUsual, apply = applyEvents) {
    this.#spacing = spacing
    this.#apply = apply
  }

  /** The records after that many events of the log. */
  at(log: EventLog, position: number): ReplayState {
    const wanted = Math.floor(position / this.#spacing)
    for (let last = this.#kept.length - 1; last < wanted; last += 1) {
      const from = last * this.#spacing
      this.#kept.push(this.#apply(this.#frame(last), log.slice(from, from + this.#spacing)))
    }
    const from = wanted * this.#spacing
    return from === position
      ? this.#frame(wanted)
      : this.#apply(this.#frame(wanted), log.slice(from, position))
  }

  /** Whether the way there is short already; if not, `prepare` makes it so. */
  isNear(position: number): boolean {
    return Math.floor(position / this.#spacing) < this.#kept.length + madeAtOnce
  }

  /** Makes up to `count` more of them, so that a first jump finds them made; says whether the log has room for others. */
  prepare(log: EventLog, count: number): boolean {
    const last = this.#kept.length - 1
    const whole = Math.floor(log.length / this.#spacing)
    this.at(log, Math.min(last + count, whole) * this.#spacing)
    return last + count < whole
  }

  #frame(place: number): ReplayState {
    const found = this.#kept[place]
    if (found === undefined) throw new Error(`There is no keyframe ${place}.`)
    return found
  }
}
