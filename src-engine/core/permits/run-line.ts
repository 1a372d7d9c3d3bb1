/** Runs that find no room: they stand in line, or end at once, and begin when their turn has come. */

import { errorRecord } from '../../model/errors.ts'
import type { PermitPlan } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { addEvent, changeRun, createDraft, finishDraft } from '../draft.ts'
import { registerGate } from '../policy/gate.ts'
import { propagateStart } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { publishing } from '../start-run.ts'
import type { MissingKey } from './wait-reason.ts'
import { waitReasonOf } from './wait-reason.ts'

/** The record of a new run that stands in line: its time begins with its start. */
export const inLine = (run: RunRecord, plan: PermitPlan, missing: MissingKey): RunRecord => ({
  ...run,
  permits: { ...plan, blockedSince: run.createdAt, blockedBy: missing.key },
  waitReason: waitReasonOf(plan, missing),
})

/** Makes the run of the state and leaves it in line. */
export function queueRun(
  state: RunState,
  context: DecisionContext,
  version: WorkflowVersion | null,
): Decision {
  const draft = createDraft(state, context, true)
  const { run } = state
  addEvent(draft, { invocationId: null, cause: run.cause, body: { type: 'run.created', run } })
  return publishing(finishDraft(draft), version)
}

/** Makes the run of the state and ends it: skipped, or failed. */
export function refuseRun(
  state: RunState,
  context: DecisionContext,
  refusal: {
    readonly missing: MissingKey
    readonly as: 'skip' | 'fail'
    readonly version: WorkflowVersion | null
  },
): Decision {
  const { missing, as, version } = refusal
  const { run } = state
  const cause = {
    kind: as === 'skip' ? 'skipped' : 'limit',
    by: missing.holders[0] ?? null,
    detail: missing.key,
  }
  const draft = createDraft(state, { ...context, cause }, true)
  addEvent(draft, { invocationId: null, cause: run.cause, body: { type: 'run.created', run } })
  const { code, message } = waitReasonOf(run.permits, missing)
  const details = { key: missing.key, holders: [...missing.holders], limit: code }
  const error = errorRecord('concurrency_limit', {
    message: `The run found no room: ${message}`,
    hint: 'Raise the limit of the workflow, or let its runs wait their turn (when full: queue).',
    details,
  })
  if (as === 'fail') changeRun(draft, { error })
  else changeRun(draft, { cancelRequestedAt: context.now })
  settle(draft)
  if (as === 'skip') changeRun(draft, { error })
  return publishing(finishDraft(draft), version)
}

/**
 * The turn of a run in line has come; `plan` is its own with the limits as they are now, and a gated one asks the
 * policy first. Null when it doesn't stand there, or is paused.
 */
export function beginRun(
  state: RunState,
  context: DecisionContext,
  { plan, isGated }: { readonly plan: PermitPlan; readonly isGated: boolean },
): Decision | null {
  const { run, workflow } = state
  if (run.status !== 'CREATED' || run.pauseRequestedAt !== null || run.cancelRequestedAt !== null) return null
  const draft = createDraft(state, context)
  const ends = [run.deadlineAt, workflow.timeoutMs === null ? null : context.now + workflow.timeoutMs]
  const known = ends.filter((at) => at !== null)
  changeRun(
    draft,
    {
      startedAt: context.now,
      deadlineAt: known.length === 0 ? null : Math.min(...known),
      waitReason: null,
      permits: { ...plan, blockedSince: null, blockedBy: null },
    },
    'RUNNING',
  )
  if (isGated) registerGate(draft)
  else propagateStart(draft)
  settle(draft)
  return finishDraft(draft)
}

/** It misses another permit by now, or others have it; null when there is nothing new to say. */
export function stayInLine(state: RunState, context: DecisionContext, missing: MissingKey): Decision | null {
  const { run } = state
  if (run.status !== 'CREATED' || run.permits === null || run.permits.blockedBy === missing.key) return null
  const draft = createDraft(state, context)
  changeRun(draft, {
    permits: { ...run.permits, blockedBy: missing.key },
    waitReason: waitReasonOf(run.permits, missing),
  })
  return finishDraft(draft)
}
