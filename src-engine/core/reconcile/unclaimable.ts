/** Available work that nobody could do: each look counts, and after the last one it fails. */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, nodeOf, touchInvocation } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { endCutWait } from '../total-timeout.ts'
import { isTimeOver } from '../wait-ends.ts'
import { withLetter } from './timeout-request.ts'

export interface SchedulingRules {
  readonly schedulingAttemptsMax: number
  readonly backoffInitialMs: Millis
  readonly backoffMaxMs: Millis
  readonly backoffJitterMs: Millis
}

/** Doubling beyond this changes nothing: the longest pause is reached. */
const doublingsMax = 30

/** The pause after so many attempts before; `random` in [0, 1) decides about its jitter. */
export function schedulingBackoffMs(attempt: number, rules: SchedulingRules, random: number): Millis {
  const doublings = Math.min(Math.max(attempt, 0), doublingsMax)
  const pause = rules.backoffInitialMs * 2 ** doublings + random * rules.backoffJitterMs
  return Math.min(Math.floor(pause), rules.backoffMaxMs)
}

/** When the record may be looked at as unclaimable; null when it isn't available. */
export function unclaimableFrom(record: InvocationRecord, pendingAgeMs: Millis): Instant | null {
  if (!invocationMachine.available.has(record.status)) return null
  const old = (record.notBefore ?? record.registeredAt) + pendingAgeMs
  return Math.max(old, record.dispatch?.lookAgainAt ?? 0)
}

export interface UnclaimableFact {
  readonly id: InvocationId
  readonly reason: WaitReason
  readonly pendingAgeMs: Millis
  readonly rules: SchedulingRules
  /** In [0, 1): decides about the jitter of the pause. */
  readonly random: number
}

/**
 * Notes that nobody can do it for now. It stays available: a runner that comes may have it at once, and the
 * pause only delays the next look. What has no time left for all of its attempts ends instead. Null when it isn't available, or not to be looked at yet.
 */
export function noteUnclaimable(
  state: RunState,
  context: DecisionContext,
  fact: UnclaimableFact,
): Decision | null {
  const record = state.invocations.get(fact.id)
  const from = record === undefined ? null : unclaimableFrom(record, fact.pendingAgeMs)
  if (record === undefined || from === null || from > context.now) return null
  const before = record.dispatch?.schedulingAttempts ?? 0
  const schedulingAttempts = before + 1
  const lookAgainAt = context.now + schedulingBackoffMs(before, fact.rules, fact.random)
  const dispatch = dispatchWith(record, { schedulingAttempts, lookAgainAt })
  const draft = createDraft(state, context)
  const node = nodeOf(draft, record)
  if (isTimeOver(node, record, context.now)) {
    endCutWait(draft, record, node)
    settle(draft)
    return finishDraft(draft)
  }
  if (schedulingAttempts < fact.rules.schedulingAttemptsMax) {
    touchInvocation(draft, record.id, { dispatch, waitReason: fact.reason })
    return finishDraft(draft)
  }
  const error = errorRecord('max_scheduling_retries', {
    message: `“${record.nodeId}” found no runner in ${schedulingAttempts} attempts: ${fact.reason.message}`,
    details: { reason: fact.reason.code, schedulingAttempts },
  })
  const set = { error, dispatch }
  failFinally(draft, record, { node, set, attempt: null, final: 'FAILED' })
  settle(draft)
  return withLetter(finishDraft(draft), record, {
    reason: 'max_scheduling_retries',
    ended: 'FAILED',
    body: { lastReason: fact.reason.code, schedulingAttempts },
  })
}
