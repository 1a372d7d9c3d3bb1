/** What a person decided about a step that asks, and what that comes to: once, and only about what was seen. */

import type { ApprovalAnswer, ApprovalDecision, ApprovalOutcome, ApprovalWait } from '../../model/approval.ts'
import { approvalPorts, outcomeOfAnswer } from '../../model/approval.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { errorRecord, SagasmithError } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import { dispatchWith, isPauseAsked, letGo } from '../control/hold.ts'
import { refuseFinal } from '../control/refuse-final.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf, recordOf } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { approvalOf } from './ask.ts'

/** What somebody says of what they saw. */
export interface SaidApproval {
  readonly id: InvocationId
  /** Of what they saw. */
  readonly hash: string
  readonly answer: ApprovalAnswer
  readonly by: string
  /** In words that an error may quote; null for nothing. */
  readonly commentText: string | null
  readonly comment: Payload | null
  readonly values: Payload | null
  /** What the step hands on. */
  readonly output: Payload
  /** Names of those who had the run begin. */
  readonly starters: readonly string[]
  /** Whether a setting wants somebody else, whatever was asked. */
  readonly otherPerson: boolean
}

/**
 * Null when the same was decided before. Throws `invocation_not_found`, `approval_not_found`,
 * `approval_stale`, `approval_already_decided`, `approval_not_allowed`, `approval_not_actionable`,
 * `run_already_final`.
 */
export function decideApproval(
  state: RunState,
  context: DecisionContext,
  said: SaidApproval,
): Decision | null {
  const record = state.invocations.get(said.id)
  const details = { runId: state.run.id, invocationId: said.id }
  if (record === undefined) throw new SagasmithError('invocation_not_found', { details })
  const wait = approvalOf(record)
  if (wait === null) {
    if (isDecidedSo(state, record, said)) return null
    refuseFinal(state, 'approve')
    throw new SagasmithError('approval_not_found', { details: { ...details, status: record.status } })
  }
  refuse(record, { wait, said, now: context.now })
  const draft = createDraft(state, context)
  apply(draft, record, { wait, said })
  settle(draft)
  return finishDraft(draft)
}

/** Whether the last answer to this question was the same; throws when it was another. */
function isDecidedSo(state: RunState, record: InvocationRecord, said: SaidApproval): boolean {
  const decided = record.dispatch?.approval
  if (decided === undefined) return false
  const details = { runId: state.run.id, nodeId: record.nodeId, by: decided.by, at: decided.at }
  if (decided.hash !== said.hash) throw new SagasmithError('approval_stale', { details })
  if (decided.outcome === outcomeOfAnswer[said.answer]) return true
  throw new SagasmithError('approval_already_decided', {
    message: `“${record.nodeId}” was ${wordOf[decided.outcome]}${decided.by === null ? '' : ` by ${decided.by}`}.`,
    details: { ...details, outcome: decided.outcome },
  })
}

const wordOf: Readonly<Record<ApprovalOutcome, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  changes: 'pushed back',
  expired: 'left undecided until its time was over',
}

interface Asked {
  readonly wait: ApprovalWait
  readonly said: SaidApproval
}

function refuse(record: InvocationRecord, asked: Asked & { readonly now: number }): void {
  const { wait, said, now } = asked
  const { runId, nodeId } = record
  const details = { runId, nodeId, by: said.by }
  if (wait.hash !== said.hash) {
    throw new SagasmithError('approval_stale', { details: { ...details, revision: wait.revision } })
  }
  if (isPauseAsked(record)) {
    const message = `“${nodeId}” is paused: it takes a decision once somebody resumes it.`
    throw new SagasmithError('approval_not_actionable', { message, details })
  }
  if (wait.expiresAt !== null && wait.expiresAt <= now) {
    const message = `The time to decide about “${nodeId}” is over.`
    throw new SagasmithError('approval_not_actionable', {
      message,
      hint: 'Run it again, and allow more time.',
      details: { ...details, expiresAt: wait.expiresAt },
    })
  }
  if (said.answer === 'push-back' && !wait.pushBack) {
    const message = `“${nodeId}” has no way to push it back.`
    const hint = 'Approve or reject it, or give the step a way for changes.'
    throw new SagasmithError('approval_not_actionable', { message, hint, details })
  }
  refuseWhom(record, asked)
}

/** It may be meant for others, or for anybody but who wants the run to go on. */
function refuseWhom({ runId, nodeId }: InvocationRecord, { wait, said }: Asked): void {
  const details = { runId, nodeId, by: said.by, approvers: [...wait.approvers] }
  if (wait.approvers.length > 0 && !wait.approvers.includes(said.by)) {
    const message = `“${nodeId}” is for ${wait.approvers.join(', ')} to decide, not for ${said.by}.`
    throw new SagasmithError('approval_not_allowed', { message, details })
  }
  if (!(wait.otherPerson || said.otherPerson) || !said.starters.includes(said.by)) return
  throw new SagasmithError('approval_not_allowed', {
    message: `${said.by} had the run begin: somebody else decides about “${nodeId}”.`,
    hint: 'Ask somebody else to decide it.',
    details,
  })
}

function apply(draft: Draft, record: InvocationRecord, { wait, said }: Asked): void {
  const outcome = outcomeOfAnswer[said.answer]
  const { by, comment, values, output, commentText } = said
  const error = outcome === 'rejected' ? rejectedBy(record, by, commentText) : null
  endApproval(draft, record, { wait, outcome, by, comment, values, output, error })
}

function rejectedBy({ nodeId }: InvocationRecord, by: string, comment: string | null): ErrorRecord {
  const message = `${by} rejected “${nodeId}”${comment === null ? '.' : `: ${comment}`}`
  return errorRecord('approval_rejected', { message, details: { nodeId, by } })
}

/** How a wait for a decision ended. */
interface EndedWait extends Pick<ApprovalDecision, 'outcome' | 'by' | 'comment' | 'values'> {
  readonly wait: ApprovalWait
  /** What a step that asks hands on. */
  readonly output: Payload
  /** Of what doesn't go on; null for what does. */
  readonly error: ErrorRecord | null
}

/** Goes on by the port of the decision, is let go to be done, or ends as DENIED. */
export function endApproval(draft: Draft, record: InvocationRecord, ended: EndedWait): void {
  const { wait, outcome, by, comment, values, output, error } = ended
  letGo(draft, record)
  const { for: asker, hash, revision, shown, policy, requestedAt } = wait
  const approval: ApprovalDecision = {
    ...{ for: asker, hash, revision, outcome, by, comment, values, shown, policy, requestedAt },
    at: draft.context.now,
  }
  const dispatch = dispatchWith(recordOf(draft, record.id) ?? record, { approval })
  const node = nodeOf(draft, record)
  if (outcome === 'approved' && asker === 'policy') {
    moveInvocation(draft, record.id, { to: 'REROUTED', set: { wait: null, dispatch } })
    return
  }
  if (error !== null && (asker === 'policy' || wait.onReject === 'deny')) {
    failFinally(draft, record, { node, set: { error, dispatch }, attempt: null, final: 'DENIED' })
    return
  }
  const port = outcome === 'expired' ? approvalPorts.rejected : approvalPorts[outcome]
  const after = moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { output, ports: [port], error: null, dispatch },
  })
  propagateFrom(draft, node, after)
}
