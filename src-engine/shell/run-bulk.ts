/** The same wish for every run that a filter fits, a page at a time: counted, and each with its outcome. */

import { hash } from 'node:crypto'
import { recordOfThrown } from '../model/errors.ts'
import type { RunId, WorkflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { homePartition } from '../model/partition.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine } from '../model/run-status.ts'
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
  rerun: [...runMachine.final],
}

/** One page of runs, newest first; with `dryRun` nothing is done to them. */
export async function bulkPage(engine: Engine, request: BulkRequest): Promise<BulkPage> {
  const { filter, action, after, limit, dryRun } = request
  const statuses = filter.statuses ?? meantFor[action]
  const { runs, next } = await findRuns(engine.store, { ...filter, statuses, after, limit })
  const meant = runs.filter((run) => isMeant(request, run))
  const newestOf = newestDocuments(engine)
  const outcomes = dryRun
    ? meant.map(untouched)
    : await Promise.all(meant.map((run) => outcomeOf({ engine, newestOf }, request, run)))
  const refused = outcomes.filter(({ error }) => error !== null).length
  return {
    outcomes,
    counts: { matched: outcomes.length, done: dryRun ? 0 : outcomes.length - refused, refused },
    next,
  }
}

/** Its parent, run again, starts it again: twice would be once too often. */
const isMeant = ({ action, filter }: BulkRequest, { parentRunId }: RunRecord): boolean =>
  action !== 'rerun' || parentRunId === null || filter.origin === 'step'

const untouched = ({ id, status, workflowId, workflowTitle }: RunRecord): BulkOutcome => ({
  runId: id,
  workflowId,
  workflowTitle,
  before: status,
  status,
  startedRunId: null,
  error: null,
})

interface BulkParts {
  readonly engine: Engine
  readonly newestOf: (workflowId: WorkflowId) => Promise<JsonObject | null>
}

/** One refused run must not keep the others from theirs. */
async function outcomeOf(parts: BulkParts, request: BulkRequest, run: RunRecord): Promise<BulkOutcome> {
  const { action } = request
  try {
    return action === 'rerun'
      ? { ...untouched(run), startedRunId: await runAgain(parts, request, run) }
      : { ...untouched(run), status: await act(parts.engine, { ...request, action }, run.id) }
  } catch (thrown) {
    return { ...untouched(run), error: recordOfThrown(thrown) }
  }
}

async function act(
  engine: Engine,
  request: BulkRequest & { readonly action: Exclude<BulkAction, 'rerun'> },
  runId: RunId,
): Promise<RunStatus> {
  const { action, by, reason, version } = request
  const told = { runId, nodeId: null, by, reason }
  if (action === 'retry')
    return (await engine.retryRun({ ...told, input: null, version, document: null })).status
  return (await engine.controlRun({ ...told, action, wait: false })).status
}

/** The new run, with the input that the old one had. */
async function runAgain(
  { engine, newestOf }: BulkParts,
  { by, reason, version, requestId = null }: BulkRequest,
  { id: runId, workflowId }: RunRecord,
): Promise<RunId> {
  const document = version === 'newest' ? await newestOf(workflowId) : null
  const started = await engine.rerun({
    runId,
    document,
    otherVersion: document !== null,
    input: null,
    requestId: requestId === null ? null : requestFor(requestId, runId),
    by,
    reason,
  })
  return started.runId
}

/** Each run has its own: one wish starts one run for each. As short for what was run again many times: ids are made of it. */
const requestFor = (wish: string, runId: RunId): string =>
  hash('sha256', `${wish} ${runId}`).slice(0, requestCharsMax)

const requestCharsMax = 32

/** The newest published document of a workflow, read once for all of its runs; null where none is known. */
function newestDocuments({ store }: Pick<Engine, 'store'>): BulkParts['newestOf'] {
  const known = new Map<WorkflowId, Promise<JsonObject | null>>()
  const read = async (workflowId: WorkflowId): Promise<JsonObject | null> => {
    const page = { after: null, limit: 1 }
    const [newest] = await store.list(homePartition, 'workflowVersions', { filter: { workflowId }, page })
    return newest === undefined ? null : (JSON.parse(newest.document) as JsonObject)
  }
  return (workflowId) => {
    const found = known.get(workflowId) ?? read(workflowId)
    known.set(workflowId, found)
    return found
  }
}
