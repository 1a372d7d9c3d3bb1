/** Undoing a step that started a run: that run is rolled back, and the compensation waits for it. */

import type { ErrorRecord } from '../../model/errors.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { invocationIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import { awaitsRun } from '../calls.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation } from '../draft.ts'
import { leavesRunAlone } from '../effects.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { nextInChain } from './undo-chain.ts'

/** The compensation of a step that waits for the rollback of that run; null when none does. */
export function undoAwaiting(state: RunState, step: InvocationId, child: RunId): InvocationRecord | null {
  const record = state.invocations.get(step)
  if (record === undefined) return null
  const { runId, generation, nodeId, path } = record
  let id = invocationIdOf({ runId, generation, nodeId, path, role: 'compensation' })
  for (let undo = state.invocations.get(id); undo !== undefined; undo = state.invocations.get(id)) {
    if (awaitsRun(undo, child)) return undo
    id = nextInChain(id)
  }
  return null
}

/**
 * The run has been rolled back, or nobody can any more. Null when nobody waits for it, and when it is only told
 * once more that the run had ended: what it did is still to be undone.
 */
export function endUndoOfChild(
  state: RunState,
  context: DecisionContext,
  given: {
    readonly step: InvocationId
    readonly run: RunRecord
    /** Whether something of the run is recorded to be undone. */
    readonly isUndoable: boolean
  },
): Decision | null {
  const { run: child, step, isUndoable } = given
  const record = undoAwaiting(state, step, child.id)
  if (record === null || isUndoable) return null
  const draft = createDraft(state, context)
  const error = isUndone(child) ? null : errorOf(child)
  if (error === null) moveInvocation(draft, record.id, { to: 'SUCCESS', set: { error: null } })
  else moveInvocation(draft, record.id, { to: 'FAILED', set: { error } })
  leavesRunAlone(draft, child.id)
  settle(draft)
  return finishDraft(draft)
}

/** Of what ended otherwise, nothing had been recorded. */
const isUndone = ({ status }: RunRecord): boolean =>
  status !== 'COMPENSATION_FAILED' && status !== 'ABANDONED'

const errorOf = (child: RunRecord): ErrorRecord =>
  errorRecord('sub_run_not_undone', {
    message: `The run ${child.id} of “${child.workflowTitle}” could not be rolled back whole.`,
    details: { childRunId: child.id, status: child.status },
  })
