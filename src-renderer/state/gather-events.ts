/**
 * When what happens in a run is shown: with the next frame; but while more happens than a person can follow, all of it
 * together a few times in a second. Every change is taken, in its order; only how often the page is drawn for it differs.
 */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { Ambient } from './services.ts'

/** More than this many in a second nobody tells apart, on the largest of canvases. */
const manyPerSecond = 500
/** Many are shown no more often than this, and counted for so long: short enough that a state seems to change at once. */
const spanMs = 100
/** While what is seen is moved, the hand comes first: nobody reads states on cards that fly by. */
const movedSpanMs = 200
/** Frames that are drawn without them meanwhile, at least: where frames are late, what a hand moves comes first. */
const framesBetween = 2

export interface GatheredEvents {
  readonly add: (events: readonly EngineEvent[]) => void
  /** Forgets what waits to be shown: something newer has come. */
  readonly clear: () => void
}

/** Gives to `take` what was added, as often as it makes sense; `isMoved` tells whether what is seen is being moved. */
export function gatherEvents(
  ambient: Pick<Ambient, 'now' | 'after' | 'onFrame'>,
  take: (events: readonly EngineEvent[]) => void,
  isMoved: () => boolean = () => false,
): GatheredEvents {
  let gathered: EngineEvent[] = []
  let isAsked = false
  let isMany = false
  let takenAt = Number.NEGATIVE_INFINITY
  let countedFrom = ambient.now()
  let counted = 0
  const count = (events: number): void => {
    counted += events
    const passedMs = ambient.now() - countedFrom
    if (passedMs < spanMs) return
    isMany = counted * 1_000 >= manyPerSecond * passedMs
    counted = 0
    countedFrom = ambient.now()
  }
  const show = (): void => {
    isAsked = false
    const events = gathered
    gathered = []
    if (events.length === 0) return
    takenAt = ambient.now()
    count(events.length)
    take(events)
  }
  const ask = (): void => {
    isAsked = true
    const left = isMany ? (isMoved() ? movedSpanMs : spanMs) - (ambient.now() - takenAt) : 0
    // What comes after a pause is shown at once, whatever was before.
    if (left > 0) ambient.after(left, () => inFrames(framesBetween))
    else inFrames(0)
  }
  const inFrames = (frames: number): void => ambient.onFrame(frames === 0 ? show : () => inFrames(frames - 1))
  return {
    add: (events) => {
      gathered.push(...events)
      if (!isAsked && gathered.length > 0) ask()
    },
    clear: () => {
      gathered = []
    },
  }
}
