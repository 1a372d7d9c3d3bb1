/** One wish for many runs: each has its answer, and how it went is told in one sentence. */

import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { BulkAction } from '../../src-engine/protocol/run-control.ts'
import { pauseOf } from '../status/wait-words.ts'
import { bulk, fill } from '../text/messages.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { loadRuns } from './follow-runs.ts'
import { isRetryable } from './rerun.ts'

/** Whether that can be asked of a run as it is. Pure. */
export function mayAsk(action: BulkAction, run: RunRecord): boolean {
  if (action === 'retry') return isRetryable(run)
  if (runMachine.final.has(run.status) || run.cancelRequestedAt !== null) return false
  if (action === 'pause') return pauseOf(run) === 'none'
  return action === 'cancel' || pauseOf(run) !== 'none'
}

/** What each action is done to, in the order of the buttons. Pure. */
export function runsByAction(
  runs: readonly RunRecord[],
): readonly { readonly action: BulkAction; readonly runIds: readonly RunId[] }[] {
  return (['pause', 'resume', 'retry', 'cancel'] as const).map((action) => ({
    action,
    runIds: runs.filter((run) => mayAsk(action, run)).map(({ id }) => id),
  }))
}

/** Asks it of every run, and tells how many followed and why the first that didn't did not. */
export async function askRuns(
  designer: Designer,
  action: BulkAction,
  runIds: readonly RunId[],
): Promise<void> {
  const refusals = await attempt(designer, () =>
    action === 'retry' ? retryEach(designer, runIds) : control(designer, action, runIds),
  )
  if (refusals === null) return
  const { toast } = designer.view.getState()
  const [first] = refusals
  const done = runIds.length - refusals.length
  if (done > 0) {
    const message = fill(done === 1 ? bulk.one[action] : bulk.many[action], { count: done })
    toast({ tone: 'good', message, hint: null })
  }
  if (first !== undefined) {
    const message = refusals.length === 1 ? first.message : fill(bulk.refused, { count: refusals.length })
    toast({ tone: 'bad', message, hint: refusals.length === 1 ? first.hint : first.message })
  }
  await loadRuns(designer)
}

async function control(
  designer: Designer,
  action: Exclude<BulkAction, 'retry'>,
  runIds: readonly RunId[],
): Promise<readonly ErrorRecord[]> {
  const request = { action, runIds, nodeId: null, by: null, reason: null, wait: false }
  const { results } = await designer.connection.call('runs.control', request)
  return results.flatMap(({ error }) => (error === null ? [] : [error]))
}

/** One after the other: each is a decision on its own run. */
async function retryEach(designer: Designer, runIds: readonly RunId[]): Promise<readonly ErrorRecord[]> {
  const refusals: ErrorRecord[] = []
  const rest = { nodeId: null, input: null, version: 'same', document: null, by: null, reason: null } as const
  for (const runId of runIds) {
    try {
      await designer.connection.call('runs.retry', { runId, ...rest })
    } catch (thrown) {
      refusals.push(recordOfThrown(thrown))
    }
  }
  return refusals
}
