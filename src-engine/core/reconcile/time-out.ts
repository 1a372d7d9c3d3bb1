/** What takes too long is brought to an end: by its owner while it has one, else at once. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { createDraft, finishDraft, nodeOf, touchInvocation } from '../draft.ts'
import { endedAttempt, unreported } from '../ended-attempt.ts'
import { failFinally } from '../fail-finally.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { isAtWork, workingSince } from '../working-time.ts'
import type { TimeoutReason } from './timeout-request.ts'
import { isTimeoutAsked, timeoutError, withTimeoutLetter } from './timeout-request.ts'

export interface TimeLimits {
  /** From the first claim to the beginning, across all handovers. */
  readonly dispatchTimeoutMs: Millis
  /** From the beginning of an attempt, where its node names no timeout. */
  readonly runningTimeoutMs: Millis
}

/** The limit that the record has reached at the instant; null for none. */
export function overdue(record: InvocationRecord, limits: TimeLimits, now: Instant): TimeoutReason | null {
  if (isAtWork(record)) {
    const since = workingSince(record)
    return since !== null && now - since >= limits.runningTimeoutMs ? 'running_timeout' : null
  }
  const claimedAt = record.dispatch?.firstClaimedAt ?? null
  if (claimedAt === null || now - claimedAt < limits.dispatchTimeoutMs) return null
  if (record.status !== 'PENDING' && !invocationMachine.available.has(record.status)) return null
  // What began once was dispatched; and what is not to begin yet keeps nobody waiting.
  const began = record.startedAt !== null && record.startedAt >= claimedAt
  const deferred = record.notBefore !== null && record.notBefore > now
  return began || deferred ? null : 'dispatch_timeout'
}

/**
 * Ends an invocation that reached one of the limits, with its dead letter. Its owner is asked to while its
 * lease holds. Null when there is nothing (more) to do, or when only a person can tell what happened.
 */
export function timeOutInvocation(
  state: RunState,
  context: DecisionContext,
  request: { readonly id: InvocationId; readonly limits: TimeLimits },
): Decision | null {
  const record = state.invocations.get(request.id)
  if (record === undefined) return null
  const code = overdue(record, request.limits, context.now)
  if (code === null || (code === 'running_timeout' && namesTimeout(state, record))) return null
  const message = messageOf(record, code, request.limits)
  const owned = record.lease !== null && record.lease.expiresAt > context.now
  const draft = createDraft(state, context)
  if (owned) {
    if (record.cancelRequestedAt !== null && isTimeoutAsked(record)) return null
    touchInvocation(draft, record.id, {
      cancelRequestedAt: context.now,
      waitReason: { code, message },
    })
    return finishDraft(draft)
  }
  const node = nodeOf(draft, record)
  // Its effect may have happened: recovery does what the node says.
  if (isAtWork(record) && node.onLost !== 'retry') return null
  const reason: WaitReason = { code, message }
  failFinally(draft, record, {
    node,
    set: { error: timeoutError(record, reason) },
    attempt: isAtWork(record) ? abandonedAttempt(draft, record, reason) : null,
    final: 'TIMEOUT',
  })
  settle(draft)
  return withTimeoutLetter(finishDraft(draft), record, code)
}

/** A node's own timeout is kept by its deadline. */
const namesTimeout = (state: RunState, record: InvocationRecord): boolean =>
  state.workflow.document.nodes[record.nodeId]?.timeout?.attemptMs !== undefined

function messageOf(record: InvocationRecord, code: TimeoutReason, limits: TimeLimits): string {
  const seconds = (span: Millis): string => `${Math.round(span / 1_000)} s`
  return code === 'dispatch_timeout'
    ? `“${record.nodeId}” did not begin within ${seconds(limits.dispatchTimeoutMs)} of its first claim.`
    : `“${record.nodeId}” was running for longer than ${seconds(limits.runningTimeoutMs)}.`
}

function abandonedAttempt(draft: Draft, record: InvocationRecord, reason: WaitReason): AttemptRecord | null {
  if (record.lease === null) return null
  const error = timeoutError(record, reason)
  return endedAttempt(draft, record, { ...unreported, outcome: 'timed-out', error })
}
