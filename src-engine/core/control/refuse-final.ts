/** Requests about a run that come after its end. */

import { SagasmithError } from '../../model/errors.ts'
import { isRollingBack, runMachine } from '../../model/run-status.ts'
import type { RunState } from '../run-state.ts'

/** Refuses what comes too late; naming what was asked for. Throws `run_already_final`. */
export function refuseFinal(state: RunState, wish: string): void {
  const { run } = state
  if (!runMachine.final.has(run.status)) return
  throw new SagasmithError('run_already_final', {
    message: `The run ${run.id} is ${run.status}: there is nothing left to ${wish}.`,
    details: { runId: run.id, status: run.status },
  })
}

/**
 * Refuses also what comes while the run is being rolled back: neither a pause nor a skip of its steps means
 * anything then. Throws `run_already_final`, `run_rolling_back`.
 */
export function refuseRolledBack(state: RunState, wish: string): void {
  refuseFinal(state, wish)
  const { id, status } = state.run
  if (!isRollingBack(status)) return
  throw new SagasmithError('run_rolling_back', {
    message: `The run ${id} is ${status}: there is nothing to ${wish} in it.`,
    details: { runId: id, status },
  })
}
