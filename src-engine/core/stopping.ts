/** Whether a run is on its way to an end, and what sets it on that way. */

import type { ErrorRecord } from '../model/errors.ts'
import { changeRun } from './draft.ts'
import type { Draft } from './draft.ts'

/** Nothing new begins in a run that is stopping. */
export function isStopping(draft: Draft): boolean {
  const { run, state } = draft
  if (run.cancelRequestedAt !== null) return true
  return run.error !== null && (state.workflow.onFailure === 'stop' || run.error.code === 'run_timed_out')
}

/** Keeps what failed first. */
export function noteFailure(draft: Draft, error: ErrorRecord): void {
  if (draft.run.error === null) changeRun(draft, { error })
}
