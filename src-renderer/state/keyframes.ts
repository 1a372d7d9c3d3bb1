/**
 * A run at any of its events: the records are kept at every so many events, and what lies between is applied anew. So
 * the way to any moment is as short as to any other, however long the run.
 */

import type { EventChange } from '../../src-engine/model/event.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'
import { applyEvents, emptyReplay } from '../../src-engine/model/replay.ts'
import type { EventLog } from './event-log.ts'

/** As far behind the newest keyframe a jump is made at once, in spacings; more would be felt. */
const nearMax = 3

/** Fewer make a move dearer, more cost memory: each holds a reference to every record there is by then. */
const spacingUsual = 1_000

export class Keyframes {
  readonly spacing: number
  readonly #apply: (state: ReplayState, changes: readonly EventChange[]) => ReplayState
  /** After 0, `spacing`, 2 × `spacing` … events. */
  readonly #kept: ReplayState[] = [emptyReplay]

  constructor(spacing = spacingUsual, apply = applyEvents) {
    this.spacing = spacing
    this.#apply = apply
  }

  /** Takes what the next events change, as many as lie between two keyframes: what applying costs is paid once for them. */
  grow(changes: readonly EventChange[]): void {
    if (changes.length !== this.spacing)
      throw new Error(`Between keyframes there are ${this.spacing} events, found ${changes.length}.`)
    this.#kept.push(this.#apply(this.#frame(this.#kept.length - 1), changes))
  }

  /** The records after that many events of the log. */
  at(log: EventLog, position: number): ReplayState {
    const place = Math.min(Math.floor(position / this.spacing), this.#kept.length - 1)
    const from = place * this.spacing
    const state = this.#frame(place)
    return from === position ? state : this.#apply(state, log.changes(from, position))
  }

  /** Whether the way there is short already; if not, `grow` makes it so. */
  isNear(position: number): boolean {
    return position - (this.#kept.length - 1) * this.spacing < nearMax * this.spacing
  }

  #frame(place: number): ReplayState {
    const found = this.#kept[place]
    if (found === undefined) throw new Error(`There is no keyframe ${place}.`)
    return found
  }
}
