/** The state of a run for somebody who only reads it. */

import type { RunState } from '../core/run-state.ts'
import type { RunId } from '../model/ids.ts'
import type { RunBook } from './run-book.ts'

/**
 * As cached, or loaded when the run was parked out of memory; throws what loading it throws. Null for one that isn't `whole`,
 * also when it is read anew.
 */
export async function loadedState(
  book: RunBook,
  runId: RunId,
  isWhole: (state: RunState) => boolean = () => true,
): Promise<RunState | null> {
  const cached = book.cachedState(runId)
  if (cached !== null && isWhole(cached)) return cached
  let loaded: RunState | null = null
  await book.decide(runId, (state) => {
    loaded = isWhole(state) ? state : null
    return null
  })
  return loaded
}
