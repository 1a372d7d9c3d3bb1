/** One wish for many runs: each has its answer. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { BulkAction, ControlAction } from '../../src-engine/protocol/run-control.ts'
import { pauseOf } from '../status/wait-words.ts'
import { bulk, fill } from '../text/messages.ts'
import type { BulkResult } from './bulk-all.ts'
import { bulkOrder } from './bulk-all.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { loadRuns } from './follow-runs.ts'
import { isRetryable } from './rerun.ts'

/** Whether that can be asked of a run as it is. Pure. */
export function mayAsk(action: BulkAction, run: RunRecord): boolean {
  if (action === 'retry') return isRetryable(run)
  if (action === 'rerun') return runMachine.final.has(run.status)
  if (runMachine.final.has(run.status) || run.cancelRequestedAt !== null) return false
  if (action === 'pause') return pauseOf(run) === 'none'
  return action === 'cancel' || pauseOf(run) !== 'none'
}

/** What each action is done to, in the order of the buttons. Pure. */
export function runsByAction(
  runs: readonly RunRecord[],
): readonly { readonly action: BulkAction; readonly runs: readonly RunRecord[] }[] {
  return bulkOrder.map((action) => ({ action, runs: runs.filter((run) => mayAsk(action, run)) }))
}

/** Asks it of every run; what became of each, null where none was reached, which is told. */
export async function askRuns(
  designer: Designer,
  action: BulkAction,
  runs: readonly RunRecord[],
): Promise<readonly BulkResult[] | null> {
  const results = await attempt(designer, () => ask(designer, action, runs))
  if (results !== null) await loadRuns(designer)
  return results
}

/** Says in a sentence how many followed. */
export function tellDone(designer: Designer, action: BulkAction, results: readonly BulkResult[]): void {
  const message = doneWords(action, results)
  if (message !== null) designer.view.getState().toast({ tone: 'good', message, hint: null })
}

/** How many followed; null for none. Pure. */
export function doneWords(action: BulkAction, results: readonly BulkResult[]): string | null {
  const count = results.filter(({ error }) => error === null).length
  if (count === 0) return null
  return fill(count === 1 ? bulk.one[action] : bulk.many[action], { count })
}

function ask(
  designer: Designer,
  action: BulkAction,
  runs: readonly RunRecord[],
): Promise<readonly BulkResult[]> {
  const { call } = designer.connection
  const told = { by: null, reason: null } as const
  if (action === 'retry') {
    const rest = { ...told, nodeId: null, input: null, version: 'same', document: null } as const
    return askEach(runs, async (runId) => {
      await call('runs.retry', { runId, ...rest })
      return null
    })
  }
  if (action === 'rerun') {
    const rest = { ...told, document: null, otherVersion: false, input: null }
    return askEach(runs, async (runId) => {
      const requestId = designer.ambient.newId()
      return (await call('runs.rerun', { runId, requestId, ...rest })).runId
    })
  }
  return control(designer, action, runs)
}

const untouched = ({ id, workflowTitle }: RunRecord): BulkResult => {
  return { runId: id, workflowTitle, startedRunId: null, error: null }
}

async function control(
  designer: Designer,
  action: ControlAction,
  runs: readonly RunRecord[],
): Promise<readonly BulkResult[]> {
  const runIds = runs.map(({ id }) => id)
  const request = { action, runIds, nodeId: null, by: null, reason: null, wait: false }
  const { results } = await designer.connection.call('runs.control', request)
  const errorOf = new Map(results.map(({ runId, error }) => [runId, error]))
  return runs.map((run) => ({ ...untouched(run), error: errorOf.get(run.id) ?? null }))
}

/** One after the other: each is a decision on its own run. */
async function askEach(
  runs: readonly RunRecord[],
  one: (id: RunId) => Promise<RunId | null>,
): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = []
  for (const run of runs) {
    try {
      results.push({ ...untouched(run), startedRunId: await one(run.id) })
    } catch (thrown) {
      results.push({ ...untouched(run), error: recordOfThrown(thrown) })
    }
  }
  return results
}
