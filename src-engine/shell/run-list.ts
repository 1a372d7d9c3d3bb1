/** A page of runs, newest first. */

import { homePartition } from '../model/partition.ts'
import type { RunRecord } from '../model/run.ts'
import type { InputOf } from '../protocol/api.ts'
import type { Store } from '../store/store.ts'

/** At most `query.limit` runs after `query.after`. */
export async function listRuns(store: Store, query: InputOf<'runs.list'>): Promise<readonly RunRecord[]> {
  const { statuses, workflowId, after, limit } = query
  const includeCore = query.includeCore === true
  const request = { filter: { statuses, workflowId, includeCore }, page: { after, limit } }
  return store.list(homePartition, 'runs', request)
}
