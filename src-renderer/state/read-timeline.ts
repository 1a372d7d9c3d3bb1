/** Has the timeline of the shown run read in slices, and shows now and then how far that has come. */

import type { Millis } from '../../src-engine/model/time.ts'
import type { Designer } from './designer.ts'
import { inSlices } from './in-slices.ts'
import type { TimelineReading } from './timeline-reading.ts'

/** Rows are drawn so often while a long run is read: soon at first, and then less and less, for they cost as much as it. */
const showMs = { first: 250, most: 1_000 } as const

/** A frame is drawn between two slices, which may take as long as one: shorter ones would mostly be drawing. */
const sliceMs: Millis = 16

/** Reads what the shown run's timeline has and nobody read yet. While it is being read, that goes on to its end. */
export function readTimeline(designer: Designer): void {
  const { runs, ambient } = designer
  const reading = runs.getState().current?.timeline?.reading
  if (reading === undefined || beingRead.has(reading)) return
  beingRead.add(reading)
  let restMs: Millis = showMs.first
  let shownAt = ambient.now()
  inSlices(ambient, {
    sliceMs,
    steps: stepsOf(designer, reading),
    take: () => {
      if (ambient.now() - shownAt < restMs && !isAwaited(designer)) return
      runs.getState().showRead()
      restMs = Math.min(2 * restMs, showMs.most)
      shownAt = ambient.now()
    },
    done: () => {
      beingRead.delete(reading)
      if (runs.getState().current?.timeline?.reading === reading) runs.getState().showRead()
    },
  })
}

/** Each reads a few events, for as long as this timeline is there and has more. */
function* stepsOf({ runs }: Designer, reading: TimelineReading): Generator<void, void> {
  for (;;) {
    const timeline = runs.getState().current?.timeline ?? null
    if (timeline?.reading !== reading || !reading.step(timeline.events)) return
    yield
  }
}

/** Whether somebody wants to be where the reading has come to by now. */
function isAwaited({ runs }: Designer): boolean {
  const timeline = runs.getState().current?.timeline ?? null
  return timeline?.isComing === true && timeline.reading.keyframes.isNear(timeline.position)
}

const beingRead = new WeakSet<TimelineReading>()
