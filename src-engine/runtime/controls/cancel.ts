/** Asks for the end of a run. */

import { cancelRun } from '../../core/requests.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

/** Durable when it resolves; the status says whether it has taken effect. */
export async function requestCancel(
  { dependencies, runner }: { readonly dependencies: RunnerDependencies; readonly runner: Runner },
  runId: RunId,
): Promise<RunStatus> {
  dependencies.executor.failpoints('cancel.before-commit')
  let status: RunStatus = 'CREATED'
  await dependencies.book.decide(runId, (state) => {
    status = state.run.status
    const context = runner.context({
      actor: 'operator',
      cause: { kind: 'cancel', by: 'local', detail: null },
      opId: opId(`cancel:${runId}:${state.run.generation}`),
      runId,
      claims: false,
    })
    const decision = cancelRun(state, context)
    if (decision !== null) status = decision.changes.run.status
    return decision
  })
  dependencies.executor.failpoints('cancel.after-commit')
  return status
}
