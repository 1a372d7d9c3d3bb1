/** A page of runs, newest first, over all partitions of a store. */

import type { RunRecord } from '../model/run.ts'
import type { InputOf } from '../protocol/api.ts'
import type { Store } from '../store/store.ts'

/** At most `query.limit` runs after `query.after`. */
export async function listRuns(store: Store, query: InputOf<'runs.list'>): Promise<readonly RunRecord[]> {
  const { statuses, workflowId, after, limit } = query
  const includeCore = query.includeCore === true
  const request = { filter: { statuses, workflowId, includeCore }, page: { after, limit } }
  const pages = await Promise.all(
    store.info.partitions.map((partition) => store.list(partition, 'runs', request)),
  )
  if (pages.length === 1 && pages[0] !== undefined) return pages[0]
  return pages
    .flat()
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}
