/** The state of a run for somebody who only reads it. */

import type { RunState } from '../core/run-state.ts'
import type { RunId } from '../model/ids.ts'
import type { RunBook } from './run-book.ts'

/** As cached, or loaded when the run was parked out of memory; throws what loading it throws. */
export async function loadedState(book: RunBook, runId: RunId): Promise<RunState | null> {
  const cached = book.cachedState(runId)
  if (cached !== null) return cached
  let loaded: RunState | null = null
  await book.decide(runId, (state) => {
    loaded = state
    return null
  })
  return loaded
}
