/** Pages of runs, newest first: what the store can't tell apart is looked for in strides that end. */

import type { RunId } from '../model/ids.ts'
import { pageSizeMax, runsLookedAtMax, runsReadMax } from '../model/limits.ts'
import { homePartition } from '../model/partition.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunListQuery } from '../protocol/run-search.ts'
import { asksForSteps, fittingStatuses, isFoundBy, isFoundBySteps } from '../protocol/run-search.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import type { RunFilter, Store } from '../store/store.ts'

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
  const { limit, since = null } = query
  let { filter, count } = await narrowed(store, query)
  const runs: RunRecord[] = []
  let { after } = query
  let read = 0
  for (let lookedAt = 0; lookedAt < runsLookedAtMax; ) {
    const size = Math.min(isPlain(query) ? limit - runs.length : pageSizeMax, count - lookedAt)
    if (size <= 0) {
      // One that began meanwhile is first in the list, and the last of the others is still to come.
      const before = count
      ;({ filter, count } = await narrowed(store, query))
      if (count <= before) return { runs, next: null }
      continue
    }
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

/**
 * What the store is asked for, and how many runs it has of that from the newest on. The numbers of runs by workflow and
 * status are kept: no list is walked for what there is none of, and none beyond the last.
 */
async function narrowed(
  store: Store,
  query: RunListQuery,
): Promise<{ readonly filter: RunFilter; readonly count: number }> {
  const { workflowId, after, includeCore = false } = query
  const asked = fittingStatuses(query)
  const filter = { statuses: asked, workflowId, includeCore }
  // Without a workflow there is a list of each status, which ends by itself.
  if (workflowId === null || asked?.length === 0)
    return { filter, count: asked?.length === 0 ? 0 : Number.POSITIVE_INFINITY }
  const counts = await store.load(homePartition, 'runCounts', { workflowId, includeCore })
  const statuses = [...counts.keys()].filter((status) => asked?.includes(status) !== false)
  const count = statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  // How many lie before a place within the list isn't kept.
  const isWhole = after === null || count === 0
  return { filter: { ...filter, statuses }, count: isWhole ? count : Number.POSITIVE_INFINITY }
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
