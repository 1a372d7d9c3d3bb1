/** The shown run as it was after one of its events, once that has come. */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { Designer } from './designer.ts'
import type { EventLog } from './event-log.ts'
import { openTimeline } from './follow-runs.ts'

/** Opens the timeline, with the playhead right behind the event. Does nothing once another run is shown. */
export function showInstant(
  designer: Designer,
  { runId, seq }: { readonly runId: RunId; readonly seq: number },
): void {
  const { runs, view } = designer
  if (runs.getState().current?.runId !== runId) return
  view.getState().setPanels({ isBottomOpen: true, bottomTab: 'timeline' })
  const leave = openTimeline(designer)
  const isOver = (): boolean => {
    const { current } = runs.getState()
    const { events } = current?.timeline ?? {}
    return current?.runId !== runId || (events?.at(events.length - 1)?.seq ?? 0) >= seq
  }
  const move = (): void => {
    const { current, movePlayhead } = runs.getState()
    const { events } = current?.timeline ?? {}
    if (current?.runId === runId && events !== undefined) movePlayhead(positionOf(events, seq))
    leave()
  }
  if (isOver()) {
    move()
    return
  }
  const stop = runs.subscribe(() => {
    if (!isOver()) return
    // Moving is a change, too.
    stop()
    move()
  })
}

/** How many events there are up to a sequence. */
function positionOf(events: EventLog, seq: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events.at(middle)?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
