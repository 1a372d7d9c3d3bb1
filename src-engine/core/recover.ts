/** What becomes of an invocation whose owner is gone. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { DeadLetter } from '../model/checkpoint.ts'
import { errorRecord } from '../model/errors.ts'
import type { Fence } from '../model/fence.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { crashAttemptsMax } from '../model/limits.ts'
import { createDraft, finishDraft, moveInvocation } from './draft.ts'
import type { Decision, DecisionContext, Draft } from './draft.ts'
import { failFinally, nodeOf } from './finish-attempt.ts'
import { propagateFrom } from './propagate.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'

/**
 * Takes the invocation from its lost owner. Null when somebody else owns it by now. It becomes available
 * again, unless it took its runner down too often (FAILED, dead letter), somebody asked to cancel it, or
 * its effect may have happened and must not happen twice (a person decides).
 */
export function recoverInvocation(
  state: RunState,
  context: DecisionContext,
  lost: { readonly id: InvocationId; readonly fence: Fence },
): Decision | null {
  const record = state.invocations.get(lost.id)
  const held = record?.lease?.fence
  if (record === undefined || held?.counter !== lost.fence.counter || held.epoch !== lost.fence.epoch)
    return null
  const draft = createDraft(state, context)
  const deadLetters = recover(draft, record)
  settle(draft)
  const decision = finishDraft(draft)
  if (deadLetters.length === 0) return decision
  const writes = { ...decision.checkpoint.writes, deadLetters }
  return { ...decision, checkpoint: { ...decision.checkpoint, writes } }
}

function recover(draft: Draft, record: InvocationRecord): readonly DeadLetter[] {
  const crashCount = record.crashCount + 1
  if (record.status === 'PENDING') {
    moveInvocation(draft, record.id, { to: 'PENDING_RECOVERY' })
    release(draft, record, { cancelled: record.cancelRequestedAt !== null })
    return []
  }
  const attempt = lostAttempt(draft, record)
  moveInvocation(draft, record.id, { to: 'RUNNING_RECOVERY', set: { crashCount }, attempt })
  if (crashCount >= crashAttemptsMax) return giveUp(draft, record, crashCount)
  const node = nodeOf(draft, record)
  if (node.sideEffect === 'unsafe') {
    moveInvocation(draft, record.id, {
      to: 'APPROVAL_REQUIRED',
      set: {
        error: errorRecord('indeterminate_effect'),
        waitReason: { code: 'indeterminate_effect', message: errorRecord('indeterminate_effect').message },
      },
    })
    return []
  }
  release(draft, record, { cancelled: record.cancelRequestedAt !== null })
  return []
}

function release(draft: Draft, record: InvocationRecord, asked: { readonly cancelled: boolean }): void {
  if (!asked.cancelled) {
    moveInvocation(draft, record.id, { to: 'REROUTED' })
    return
  }
  const done = moveInvocation(draft, record.id, {
    to: 'CANCELLED',
    set: { error: errorRecord('task_cancelled') },
  })
  propagateFrom(draft, nodeOf(draft, record), done)
}

function giveUp(draft: Draft, record: InvocationRecord, crashCount: number): readonly DeadLetter[] {
  const error = errorRecord('worker_lost', {
    message: `“${record.nodeId}” took its runner down ${crashCount} times.`,
    details: { crashCount },
  })
  failFinally(draft, record, { node: nodeOf(draft, record), set: { error }, attempt: null, final: 'FAILED' })
  return [
    {
      id: `${record.id}:worker_lost`,
      runId: record.runId,
      invocationId: record.id,
      reason: 'worker_lost',
      at: draft.context.now,
      attempts: record.attempt,
      body: { status: record.status, crashCount },
    },
  ]
}

function lostAttempt(draft: Draft, record: InvocationRecord): AttemptRecord {
  const lease = record.lease
  if (lease === null) throw new Error('an owned invocation has a lease')
  return {
    invocationId: record.id,
    runId: record.runId,
    number: record.attempt,
    runnerId: lease.runnerId,
    fence: lease.fence,
    startedAt: record.startedAt ?? draft.context.now,
    endedAt: draft.context.now,
    outcome: 'lost',
    input: null,
    output: null,
    error: errorRecord('worker_lost', {
      message: 'The runner was lost while this attempt was under way.',
      retryable: true,
    }),
    log: null,
  }
}
