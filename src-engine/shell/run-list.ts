/** Pages of runs, newest first: what the store can't tell apart is looked for in strides that end. */

import type { RunId } from '../model/ids.ts'
import { pageSizeMax, runsLookedAtMax, runsReadMax } from '../model/limits.ts'
import { homePartition } from '../model/partition.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunListQuery } from '../protocol/run-search.ts'
import { asksForSteps, isFoundBy, isFoundBySteps } from '../protocol/run-search.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import type { Store } from '../store/store.ts'

export interface RunPage {
  readonly runs: readonly RunRecord[]
  /** Where to go on; null at the end. A page may be short, or empty, and have one: others were looked at. */
  readonly next: RunId | null
}

/**
 * At most `query.limit` runs after `query.after`, among at most `runsLookedAtMax` that are looked at, of which at most
 * `runsReadMax` have their steps read.
 */
export async function findRuns(store: Store, query: RunListQuery): Promise<RunPage> {
  const { statuses, workflowId, limit, since = null } = query
  const filter = { statuses, workflowId, includeCore: query.includeCore === true }
  const runs: RunRecord[] = []
  let { after } = query
  let read = 0
  for (let lookedAt = 0; lookedAt < runsLookedAtMax; ) {
    const size = isPlain(query) ? limit - runs.length : pageSizeMax
    const page = await store.list(homePartition, 'runs', { filter, page: { after, limit: size } })
    for (const run of page) {
      // Newest first: behind one that is too old there are only older ones.
      if (since !== null && run.createdAt < since) return { runs, next: null }
      if (isFoundBy(run, query)) {
        if (asksForSteps(query)) read += 1
        if (await hasSuchSteps(store, run, query)) runs.push(run)
      }
      if (runs.length === limit || read === runsReadMax) return { runs, next: run.id }
    }
    if (page.length < size) return { runs, next: null }
    lookedAt += page.length
    after = page.at(-1)?.id ?? null
  }
  return { runs, next: after }
}

/** Whether its steps are as they are asked for; they are read only where they are. */
async function hasSuchSteps(store: Store, run: RunRecord, query: RunListQuery): Promise<boolean> {
  if (!asksForSteps(query)) return true
  const at = partitionOfRun(store.info, run.id)
  return isFoundBySteps(run, await store.load(at, 'invocations', { runId: run.id }), query)
}

/** Whether the store finds all that is asked for by itself, up to where the search ends. */
const isPlain = ({ until, origin, tenant, error, failedAt, waitsFor, text }: RunListQuery): boolean =>
  [until, origin, tenant, error, failedAt, waitsFor, text].every(
    (asked) => asked === null || asked === undefined,
  )
