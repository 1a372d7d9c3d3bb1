/** What becomes of an invocation whose owner is gone. */

import type { AttemptRecord } from '../model/attempt.ts'
import { errorRecord } from '../model/errors.ts'
import type { Fence } from '../model/fence.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { crashAttemptsMax } from '../model/limits.ts'
import { retryDelayMs, shouldRetry } from '../model/retry.ts'
import type { Instant } from '../model/time.ts'
import type { Decision, DecisionContext, Draft } from './draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf } from './draft.ts'
import { endedAttempt, unreported } from './ended-attempt.ts'
import { endUncertain, failFinally, pastTotalTimeout } from './fail-finally.ts'
import { propagateFrom } from './propagate.ts'
import { isTimeoutAsked, timeoutError, withTimeoutLetter } from './reconcile/timeout-request.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'
import { isStopping } from './stopping.ts'
import { inDoubt } from './verify.ts'

/** An ownership that ended without its owner's word. */
export interface LostOwnership {
  readonly id: InvocationId
  readonly fence: Fence
  /** In [0, 1): decides about the jitter of a pause. */
  readonly random: number
  /** Crashes after which it is not tried again; the default of the setting when absent. */
  readonly crashAttemptsMax?: number
  /** Now, by the clock that set its deadline: since then it may have been set. The context's when absent. */
  readonly now?: Instant
}

/**
 * Takes the invocation from its lost owner. Null when somebody else owns it by now. It becomes available
 * again, unless somebody asked to cancel it, it took its runner down too often (FAILED, dead letter), its
 * effect may have happened and must not happen twice (a person decides), or its deadline has passed (as
 * any timeout: its retry policy, or TIMEOUT).
 */
export function recoverInvocation(
  state: RunState,
  context: DecisionContext,
  lost: LostOwnership,
): Decision | null {
  const record = state.invocations.get(lost.id)
  const held = record?.lease?.fence
  if (record === undefined || held?.counter !== lost.fence.counter || held.epoch !== lost.fence.epoch)
    return null
  const draft = createDraft(state, context)
  recover(draft, record, lost)
  settle(draft)
  const decision = finishDraft(draft)
  return isTimeoutAsked(record)
    ? withTimeoutLetter(decision, record, record.waitReason?.code ?? 'running_timeout')
    : decision
}

function recover(draft: Draft, record: InvocationRecord, lost: LostOwnership): void {
  const { random, now = draft.context.now, crashAttemptsMax: crashesMax = crashAttemptsMax } = lost
  const crashCount = record.crashCount + 1
  const cancelled = record.cancelRequestedAt !== null || isStopping(draft)
  if (record.status === 'PENDING') {
    moveInvocation(draft, record.id, { to: 'PENDING_RECOVERY' })
    release(draft, record, { cancelled })
    return
  }
  const attempt = lostAttempt(draft, record)
  moveInvocation(draft, record.id, { to: 'RUNNING_RECOVERY', set: { crashCount }, attempt })
  if (cancelled) {
    release(draft, record, { cancelled })
    return
  }
  if (crashCount >= crashesMax) {
    giveUp(draft, record, crashCount)
    return
  }
  const node = nodeOf(draft, record)
  if (node.onLost === 'verify') {
    // A deadline that passed meanwhile says nothing about what happened before it did.
    moveInvocation(draft, record.id, { to: 'REROUTED', set: { error: inDoubt() } })
    return
  }
  if (node.onLost !== 'retry') {
    endUncertain(draft, record)
    return
  }
  if (record.deadlineAt !== null && record.deadlineAt <= now) timeOut(draft, record, random)
  else release(draft, record, { cancelled })
}

/** Nobody was there when the deadline passed: it counts as the timeout that its owner would have told. */
function timeOut(draft: Draft, record: InvocationRecord, random: number): void {
  const node = nodeOf(draft, record)
  const failureCount = record.failureCount + 1
  const error = errorRecord('task_timeout', {
    message: `The deadline of “${record.nodeId}” passed while its runner was gone.`,
    details: { deadlineAt: record.deadlineAt },
  })
  const set = { error, failureCount }
  if (shouldRetry(node.retry, { error, failureCount })) {
    const notBefore = draft.context.now + retryDelayMs(node.retry, { error, failureCount, random })
    if (!pastTotalTimeout(node, record, notBefore)) {
      const waitReason = { code: 'backoff', message: error.message }
      moveInvocation(draft, record.id, { to: 'REROUTED', set: { ...set, notBefore, waitReason } })
      return
    }
  }
  failFinally(draft, record, { node, set, attempt: null, final: 'TIMEOUT' })
}

function release(draft: Draft, record: InvocationRecord, asked: { readonly cancelled: boolean }): void {
  if (!asked.cancelled) {
    moveInvocation(draft, record.id, { to: 'REROUTED' })
    return
  }
  if (isTimeoutAsked(record)) {
    const set = { error: timeoutError(record, record.waitReason) }
    failFinally(draft, record, { node: nodeOf(draft, record), set, attempt: null, final: 'TIMEOUT' })
    return
  }
  const done = moveInvocation(draft, record.id, {
    to: 'CANCELLED',
    set: { error: errorRecord('task_cancelled') },
  })
  propagateFrom(draft, nodeOf(draft, record), done)
}

function giveUp(draft: Draft, record: InvocationRecord, crashCount: number): void {
  const error = errorRecord('worker_lost', {
    message: `“${record.nodeId}” took its runner down ${crashCount} times.`,
    details: { crashCount },
  })
  failFinally(draft, record, { node: nodeOf(draft, record), set: { error }, attempt: null, final: 'FAILED' })
}

function lostAttempt(draft: Draft, record: InvocationRecord): AttemptRecord {
  return endedAttempt(draft, record, { ...unreported, outcome: 'lost', error: errorRecord('runner_lost') })
}
