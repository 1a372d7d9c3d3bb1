/** Whether a run is on its way to an end, and what sets it on that way. */

import type { ErrorRecord } from '../model/errors.ts'
import type { RunRecord } from '../model/run.ts'
import type { Draft } from './draft.ts'
import { changeRun } from './draft.ts'
import type { RunState } from './run-state.ts'

/** Nothing new begins in a run that is stopping. */
export function isStopping(draft: Draft): boolean {
  return stops(draft.run, draft.state)
}

/** Whether the run was stopping before the decision that is being made on this state. */
export const wasStopping = (state: RunState): boolean => stops(state.run, state)

function stops(run: RunRecord, state: RunState): boolean {
  if (run.cancelRequestedAt !== null) return true
  return run.error !== null && (state.workflow.onFailure === 'stop' || run.error.code === 'run_timed_out')
}

/** Keeps what failed first. */
export function noteFailure(draft: Draft, error: ErrorRecord): void {
  if (draft.run.error === null) changeRun(draft, { error })
}
