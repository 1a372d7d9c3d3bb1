/** The last runs of a workflow, read for what they have in common. */

import type { GhostRun, Ghosts } from '../model/ghosts.ts'
import { ghostsOf } from '../model/ghosts.ts'
import type { RunId, WorkflowId } from '../model/ids.ts'
import { ghostStepsMax, pageSizeMax } from '../model/limits.ts'
import { runMachine } from '../model/run-status.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import type { Store } from '../store/store.ts'
import type { RunPage } from './run-list.ts'
import { findRuns } from './run-list.ts'

/** Runs that ended, newest first, as many as asked for, or as have no more steps than are read for a picture. */
export async function readGhosts(
  store: Store,
  { workflowId, limit }: { readonly workflowId: WorkflowId; readonly limit: number },
): Promise<Ghosts> {
  const found: GhostRun[] = []
  let steps = 0
  for (let after: RunId | null = null; ; ) {
    const statuses = [...runMachine.final]
    const query = { statuses, workflowId, after, limit: Math.min(limit, pageSizeMax) }
    const { runs, next }: RunPage = await findRuns(store, query)
    for (const run of runs) {
      const at = partitionOfRun(store.info, run.id)
      // One after the other: somebody else's work goes on meanwhile.
      const invocations = await store.load(at, 'invocations', { runId: run.id })
      steps += invocations.length
      // The newest is shown whatever its size.
      if (steps > ghostStepsMax && found.length > 0) return ghostsOf(found)
      found.push({ run, invocations })
      if (found.length === limit) return ghostsOf(found)
    }
    if (next === null) return ghostsOf(found)
    after = next
  }
}
