/** What whoever debugs a run asks of it: to go on by a step, and to stop elsewhere. */

import type { Breakpoint } from '../../model/breakpoint.ts'
import { withCounts } from '../../model/breakpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { changeRun, createDraft, finishDraft, recordOf, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { isActive, isCurrent } from '../run-state.ts'
import { settle } from '../settle.ts'
import { reasonOf } from './breakpoints.ts'
import { dispatchWith, isHeld, letGo } from './hold.ts'
import { refuseFinal, refuseRolledBack } from './refuse-final.ts'

/**
 * Lets the steps go on before which the run stands, or one of choice, and nothing else. Throws `run_already_final`,
 * `run_not_paused` for a run that doesn't stand still, `step_not_ready` for a step that can't begin now.
 */
export function stepOver(state: RunState, context: DecisionContext, nodeId: NodeId | null): Decision {
  refuseRolledBack(state, 'step')
  const { run } = state
  if (run.pauseRequestedAt === null)
    throw new SagasmithError('run_not_paused', { details: { runId: run.id } })
  const standing = standingSteps(state, nodeId)
  if (standing.length === 0) {
    throw new SagasmithError('step_not_ready', {
      message:
        nodeId === null
          ? `No step of run ${run.id} can begin now.`
          : `The step “${nodeId}” of run ${run.id} can’t begin now.`,
      details: { runId: run.id, nodeId },
    })
  }
  const draft = createDraft(state, context)
  changeRun(draft, { waitReason: reasonOf('Goes on by one step, and stops again before what comes next.') })
  for (const { id } of standing) {
    const held = recordOf(draft, id)
    assert(held !== undefined, 'what is held has a record')
    letGo(draft, held)
    const record = recordOf(draft, id) ?? held
    const brokeAt = record.dispatch?.brokeAt ?? context.now
    touchInvocation(draft, id, { dispatch: dispatchWith(record, { brokeAt, stepped: true }) })
  }
  settle(draft)
  return finishDraft(draft)
}

/** Those at which it stopped; where there are none (somebody paused it), all that it set aside. */
function standingSteps(state: RunState, nodeId: NodeId | null): readonly InvocationRecord[] {
  const held = [...state.invocations.values()].filter(
    (record) => record.role === 'forward' && isActive(record) && isHeld(record) && isCurrent(state, record),
  )
  if (nodeId !== null) return held.filter((record) => record.nodeId === nodeId)
  const stopped = held.filter(({ dispatch }) => dispatch?.brokeAt !== undefined)
  return stopped.length > 0 ? stopped : held
}

/** Other breakpoints for a run that hasn't ended; null when they are these already. Throws `run_already_final`. */
export function setBreakpoints(
  state: RunState,
  context: DecisionContext,
  breakpoints: readonly Breakpoint[],
): Decision | null {
  refuseFinal(state, 'stop')
  const counting = withCounts(breakpoints, state.run.breakpoints)
  if (JSON.stringify(state.run.breakpoints) === JSON.stringify(counting)) return null
  const draft = createDraft(state, context)
  changeRun(draft, { breakpoints: counting })
  settle(draft)
  return finishDraft(draft)
}
