/** The same wish for every run that a filter fits, a page at a time: counted, and each with its outcome. */

import { recordOfThrown } from '../model/errors.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { BulkAction, BulkOutcome, BulkPage, BulkRequest } from '../protocol/run-control.ts'
import type { Engine } from '../runtime/engine.ts'
import { findRuns } from './run-list.ts'

/** The runs that an action can be meant for where nobody names statuses. */
const meantFor: Readonly<Record<BulkAction, readonly RunStatus[]>> = {
  pause: ['CREATED', 'RUNNING', 'WAITING'],
  resume: ['PAUSED'],
  cancel: ['CREATED', 'RUNNING', 'WAITING', 'PAUSED'],
  // What somebody cancelled, somebody wanted to end.
  retry: ['FAILED', 'TIMED_OUT'],
}

/** One page of runs, newest first; with `dryRun` nothing is done to them. */
export async function bulkPage(engine: Engine, request: BulkRequest): Promise<BulkPage> {
  const { filter, action, after, limit, dryRun } = request
  const statuses = filter.statuses ?? meantFor[action]
  const { runs, next } = await findRuns(engine.store, { ...filter, statuses, after, limit })
  const outcomes = dryRun
    ? runs.map(untouched)
    : await Promise.all(runs.map((run) => outcomeOf(engine, request, run)))
  const refused = outcomes.filter(({ error }) => error !== null).length
  return {
    outcomes,
    counts: { matched: outcomes.length, done: dryRun ? 0 : outcomes.length - refused, refused },
    next,
  }
}

const untouched = ({ id, status, workflowId }: RunRecord): BulkOutcome => {
  return { runId: id, workflowId, before: status, status, error: null }
}

/** One refused run must not keep the others from theirs. */
async function outcomeOf(engine: Engine, request: BulkRequest, run: RunRecord): Promise<BulkOutcome> {
  try {
    return { ...untouched(run), status: await act(engine, request, run) }
  } catch (thrown) {
    return { ...untouched(run), error: recordOfThrown(thrown) }
  }
}

async function act(engine: Engine, request: BulkRequest, { id: runId }: RunRecord): Promise<RunStatus> {
  const { action, by, reason, version } = request
  const told = { runId, nodeId: null, by, reason }
  if (action === 'retry')
    return (await engine.retryRun({ ...told, input: null, version, document: null })).status
  return (await engine.controlRun({ ...told, action, wait: false })).status
}
