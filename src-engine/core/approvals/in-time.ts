/** What becomes of a question that nobody answers: more people hear of it, and in the end it is over. */

import type { ApprovalWait } from '../../model/approval.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import { inlinePayload } from '../../model/payload.ts'
import { assert } from '../../model/result.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Draft } from '../draft.ts'
import { nodeOf, touchInvocation } from '../draft.ts'
import { tellsPeople } from '../effects.ts'
import { failFinally } from '../fail-finally.ts'
import { endCutWait } from '../total-timeout.ts'
import { isWaitCut } from '../wait-ends.ts'
import { nextInstantOf } from './ask.ts'
import { endApproval } from './decide.ts'

/** The instant that the record waited for beside a decision has come. */
export function passInstant(draft: Draft, record: InvocationRecord, wait: ApprovalWait): void {
  const node = nodeOf(draft, record)
  const { now } = draft.context
  if (isWaitCut(node, record)) endCutWait(draft, record, node)
  else if (wait.expiresAt !== null && wait.expiresAt <= now) expire(draft, record, wait)
  else escalate(draft, record, wait)
}

function escalate(draft: Draft, record: InvocationRecord, before: ApprovalWait): void {
  const { approvers, escalateTo } = before
  const wait: ApprovalWait = {
    ...before,
    escalateAt: null,
    escalatedAt: draft.context.now,
    // What anybody may decide, anybody still may.
    approvers: approvers.length === 0 ? approvers : [...new Set([...approvers, ...escalateTo])],
  }
  const notBefore = nextInstantOf(nodeOf(draft, record), record, wait)
  touchInvocation(draft, record.id, { wait, notBefore })
  tellsPeople(draft, record, wait)
}

function expire(draft: Draft, record: InvocationRecord, wait: ApprovalWait): void {
  const details = { nodeId: record.nodeId, expiresAt: wait.expiresAt }
  const message = `Nobody decided about “${record.nodeId}” in time.`
  const outcome = 'expired'
  const { now } = draft.context
  if (wait.onExpiry === 'fail') {
    const { for: asker, hash, revision, shown, policy, requestedAt } = wait
    const asked = { for: asker, hash, revision, shown, policy, requestedAt } as const
    const approval = { ...asked, outcome, by: null, at: now, comment: null, values: null } as const
    const dispatch = dispatchWith(record, { approval })
    const set = { error: errorRecord('approval_expired', { message, details }), dispatch }
    failFinally(draft, record, { node: nodeOf(draft, record), set, attempt: null, final: 'TIMEOUT' })
    return
  }
  const error = errorRecord('approval_rejected', { message, details })
  const said = { by: null, comment: null, values: null }
  const output = payloadOf(JSON.stringify({ decision: outcome, at: now, ...said }))
  endApproval(draft, record, { wait, outcome, ...said, output, error })
}

function payloadOf(json: string): Payload {
  const payload = inlinePayload(json)
  assert(payload !== null, 'what nobody said is short')
  return payload
}
