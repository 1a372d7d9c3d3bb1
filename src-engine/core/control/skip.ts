/** Skipping one step by hand: the run goes on as if a branch had left it out. */

import type { AttemptRecord } from '../../model/attempt.ts'
import { errorRecord, SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { Cause, InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation, touchInvocation } from '../draft.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { isCurrent } from '../run-state.ts'
import { settle } from '../settle.ts'
import { refuseRolledBack } from './refuse-final.ts'

const skipRequested = 'skip_requested'

/** Whether the cancel that its owner was asked for is a skip. */
export const isSkipAsked = (record: InvocationRecord): boolean =>
  record.cancelRequestedAt !== null && record.waitReason?.code === skipRequested

/** What a skipped step has as its cause: joins count it as skipped. */
const skipCause = (by: string | null, detail: string | null): Cause => ({
  kind: 'skipped',
  by,
  detail,
})

/** Null when it is asked already. Throws when the step has ended or hasn't begun. */
export function skipNode(state: RunState, context: DecisionContext, nodeId: NodeId): Decision | null {
  refuseRolledBack(state, 'skip')
  const node = state.workflow.nodeById.get(nodeId)
  if (node === undefined) throw notThere(state, nodeId)
  const records = [...state.invocations.values()].filter(
    (record) => record.role === 'forward' && record.nodeId === nodeId && isCurrent(state, record),
  )
  if (records.length === 0) throw notThere(state, nodeId)
  const open = records.filter((record) => !invocationMachine.final.has(record.status))
  if (open.length === 0) {
    throw new SagasmithError('step_already_final', { details: { runId: state.run.id, nodeId } })
  }
  const draft = createDraft(state, context)
  for (const record of open) skip(draft, record)
  if (draft.records.size === 0) return null
  for (const record of draft.records.values()) {
    if (record.nodeId === nodeId && record.status === 'CANCELLED') propagateFrom(draft, node, record)
  }
  settle(draft)
  return finishDraft(draft)
}

function skip(draft: Draft, record: InvocationRecord): void {
  const { now, cause } = draft.context
  if (record.lease !== null) {
    if (record.cancelRequestedAt !== null) return
    const waitReason = { code: skipRequested, message: cause.detail ?? 'Somebody skips this step.' }
    touchInvocation(draft, record.id, { cancelRequestedAt: now, waitReason })
    return
  }
  endSkipped(draft, record)
}

/** Ends a step that somebody skipped. */
export function endSkipped(
  draft: Draft,
  record: InvocationRecord,
  more: { readonly set?: Partial<InvocationRecord>; readonly attempt?: AttemptRecord } = {},
): InvocationRecord {
  // Its owner ends it later, for the reason that was given then.
  const detail = isSkipAsked(record) ? (record.waitReason?.message ?? null) : draft.context.cause.detail
  const cause = skipCause(draft.context.cause.by, detail)
  return moveInvocation(draft, record.id, {
    to: 'CANCELLED',
    cause,
    ...(more.attempt === undefined ? {} : { attempt: more.attempt }),
    set: { ...more.set, cause, error: errorRecord('task_cancelled', { message: 'Skipped by hand.' }) },
  })
}

const notThere = (state: RunState, nodeId: NodeId): SagasmithError =>
  new SagasmithError('invocation_not_found', {
    message: `The step “${nodeId}” of run ${state.run.id} hasn’t begun, or there is none of that name.`,
    details: { runId: state.run.id, nodeId },
  })
