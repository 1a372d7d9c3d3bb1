/** What somebody is told that is there already: it must be as safe as if it had just been written. */

import type { RunId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'
import { epochOfRun } from './run-place.ts'

/**
 * Looks at a run, and again where that was before a failover. A look that found `nothing` to tell is given as it is:
 * whoever wrote something is answered by the commit.
 */
export async function surelyThere<Found>(
  { info, confirm }: Pick<Store, 'info' | 'confirm'>,
  runId: RunId,
  { look, isThere }: { readonly look: () => Promise<Found>; readonly isThere: (found: Found) => boolean },
): Promise<Found> {
  for (;;) {
    const epoch = epochOfRun(info, runId)
    const found = await look()
    if (confirm === undefined || !isThere(found)) return found
    await confirm(runId)
    if (epochOfRun(info, runId) === epoch) return found
  }
}
