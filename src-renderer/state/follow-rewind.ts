/** Moves the shown rollback on, step by step, after what the run's records say. */

import type { Designer } from './designer.ts'
import { revealMs, trailOf } from './rewind.ts'

/** Follows the shown run. Who wants nothing to move sees each state at once. */
export function startRewind(designer: Designer): void {
  const { runs, rewind, ambient } = designer
  let isWaiting = false
  const step = (): void => {
    const { current } = runs.getState()
    const { runId, revealed, begin, reveal } = rewind.getState()
    if ((current?.runId ?? null) !== runId) return begin(current?.runId ?? null)
    if (current === null) return
    const { length } = trailOf(current.live)
    // Its run went on from what failed: there is less to show, or nothing.
    if (revealed > length) return reveal(length)
    if (revealed === length || isWaiting) return
    if (ambient.prefersStillness()) return reveal(length)
    isWaiting = true
    ambient.after(revealMs(length), () => {
      isWaiting = false
      const now = rewind.getState()
      if (now.runId === runId) now.reveal(now.revealed + 1)
      else step()
    })
  }
  runs.subscribe(step)
  rewind.subscribe(step)
}

/** Shows the way back of the shown run once more. */
export function watchAgain(designer: Designer): void {
  const { current } = designer.runs.getState()
  if (current !== null) designer.rewind.getState().begin(current.runId)
}
