/** Requests about a run that come after its end. */

import { SagasmithError } from '../../model/errors.ts'
import { runMachine } from '../../model/run-status.ts'
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
