/** The family of a run: upwards by what the runs say of themselves, downwards by what their steps started. */

import { childRunOf } from '../model/child-run.ts'
import { SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import { subWorkflowDepthMax } from '../model/limits.ts'
import type { RunRecord } from '../model/run.ts'
import type { ChildOfRun, FamilyRequest, FamilyRun, RunFamily } from '../protocol/run-family.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import type { Store } from '../store/store.ts'

/** Throws `run_not_found`. What was pruned is left out, and ends the way upwards. */
export async function familyOf(store: Store, request: FamilyRequest): Promise<RunFamily> {
  const { runId, after, limit } = request
  const run = await loadRun(store, runId)
  if (run === null) {
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  const started = await startedBy(store, runId)
  const from = after === null ? 0 : started.findIndex(({ invocationId }) => invocationId === after) + 1
  const page = started.slice(from, from + limit)
  const children = page.map(async (child) => ({ ...child, run: shown(await loadRun(store, child.runId)) }))
  const last = page.at(-1)
  return {
    run: familyRun(run),
    ancestors: await ancestorsOf(store, run),
    children: await Promise.all(children),
    total: started.length,
    next: last === undefined || from + page.length >= started.length ? null : last.invocationId,
  }
}

async function ancestorsOf(store: Store, run: RunRecord): Promise<readonly FamilyRun[]> {
  const ancestors: FamilyRun[] = []
  let above = run.parentRunId
  while (above !== null && ancestors.length < subWorkflowDepthMax) {
    const parent = await loadRun(store, above)
    if (parent === null) break
    ancestors.unshift(familyRun(parent))
    above = parent.parentRunId
  }
  return ancestors
}

async function startedBy(store: Store, runId: RunId): Promise<readonly Omit<ChildOfRun, 'run'>[]> {
  const partition = partitionOfRun(store.info, runId)
  const records = await store.load(partition, 'invocations', { runId })
  return records.flatMap((record) => {
    const child = childRunOf(record)
    const { id: invocationId, nodeId, path } = record
    return child === null ? [] : [{ invocationId, nodeId, path, runId: child }]
  })
}

const loadRun = (store: Store, runId: RunId): Promise<RunRecord | null> =>
  store.load(partitionOfRun(store.info, runId), 'run', { runId })

const shown = (run: RunRecord | null): FamilyRun | null => (run === null ? null : familyRun(run))

function familyRun(run: RunRecord): FamilyRun {
  const { id, workflowId, workflowTitle, definitionHash, status, createdAt, startedAt, finishedAt, idleMs } =
    run
  return { id, workflowId, workflowTitle, definitionHash, status, createdAt, startedAt, finishedAt, idleMs }
}
