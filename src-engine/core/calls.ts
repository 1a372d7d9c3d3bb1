/** Steps that start a run of another workflow: they wait for it without holding a slot, or go on at once. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { ChildRun } from '../model/child-run.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { retryDelayMs, shouldRetry } from '../model/retry.ts'
import type { RunRecord } from '../model/run.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import { dispatchWith, isHeld } from './control/hold.ts'
import type { Decision, DecisionContext, Draft } from './draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf } from './draft.ts'
import { leavesRunAlone, startsRun } from './effects.ts'
import { failFinally, pastTotalTimeout } from './fail-finally.ts'
import { propagateFrom } from './propagate.ts'
import type { RunState } from './run-state.ts'
import { recordChild } from './saga/record-undo.ts'
import { settle } from './settle.ts'
import { goesOn } from './stopping.ts'
import { waitEndOf } from './wait-ends.ts'

export interface CallEnd {
  readonly kind: 'calls'
  readonly child: ChildRun
  /** What a step that doesn't wait hands on. */
  readonly output: Payload
  /** Versions that are published with it: the child's and those it starts itself, where they are new. */
  readonly versions: readonly WorkflowVersion[]
}

/** The start of the child becomes durable with the end of the attempt; nothing has happened before. */
export function callRun(
  draft: Draft,
  record: InvocationRecord,
  ended: { readonly end: CallEnd; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { end, input, attempt } = ended
  const { child, output } = end
  const node = nodeOf(draft, record)
  startsRun(draft, child)
  if (!child.waits) {
    const set = { input, output, ports: null, error: null }
    propagateFrom(draft, node, moveInvocation(draft, record.id, { to: 'SUCCESS', set, attempt }))
    return
  }
  const set = {
    input,
    wait: { kind: 'run', runId: child.runId } as const,
    notBefore: waitEndOf(node, record, null),
    waitReason: { code: 'run', message: `Waits for the run ${child.runId}.` },
  }
  moveInvocation(draft, record.id, { to: 'WAITING', set, attempt })
}

/** Whether the step waits for that very run. */
export const awaitsRun = (record: InvocationRecord | null | undefined, child: RunId): boolean =>
  record?.status === 'WAITING' && record.wait?.kind === 'run' && record.wait.runId === child

/** How the run that a step waits for came out: its record, or what kept it from starting. */
export type CallOutcome =
  | {
      readonly kind: 'ended'
      readonly run: RunRecord
      /** Whether it did something that can be undone. */
      readonly isUndoable: boolean
    }
  | { readonly kind: 'refused'; readonly error: ErrorRecord }

/** The step goes on with what its run gave, or with its failure. Null when it doesn't wait for it (any more). */
export function endCall(
  state: RunState,
  context: DecisionContext,
  given: {
    readonly id: InvocationId
    readonly child: RunId
    readonly outcome: CallOutcome
    /** In [0, 1): the jitter of a pause before another try. */
    readonly random: number
    /** What the condition of its retries said; absent where nobody asked. */
    readonly again?: boolean | null
  },
): Decision | null {
  const { id, child, outcome, random, again = null } = given
  const record = state.invocations.get(id)
  if (record === undefined || !awaitsRun(record, child)) return null
  const draft = createDraft(state, context)
  const node = nodeOf(draft, record)
  const dispatch = isHeld(record) ? dispatchWith(record, { pauseRequestedAt: null, held: null }) : null
  const common = dispatch === null ? {} : { dispatch }
  if (outcome.kind === 'ended' && outcome.run.status === 'SUCCEEDED') {
    const output: Payload = outcome.run.output ?? { kind: 'inline', json: 'null' }
    const set = { ...common, output, ports: null, error: null }
    const done = moveInvocation(draft, id, { to: 'SUCCESS', set })
    recordChild(draft, done, outcome.isUndoable)
    propagateFrom(draft, node, done)
  } else {
    const error = errorOfCall(record, outcome)
    const timedOut = outcome.kind === 'ended' && outcome.run.status === 'TIMED_OUT'
    const final = timedOut ? 'TIMEOUT' : 'FAILED'
    endBadly(draft, record, { set: { ...common, error }, error, random, final, again })
  }
  leavesRunAlone(draft, child)
  settle(draft)
  return finishDraft(draft)
}

function endBadly(
  draft: Draft,
  record: InvocationRecord,
  end: {
    readonly set: Partial<InvocationRecord>
    readonly error: ErrorRecord
    readonly random: number
    readonly final: 'FAILED' | 'TIMEOUT'
    readonly again: boolean | null
  },
): void {
  const { error, random, final } = end
  const node = nodeOf(draft, record)
  const failureCount = record.failureCount + 1
  const set = { ...end.set, failureCount }
  if (goesOn(draft, record) && shouldRetry(node.retry, { error, failureCount }, end.again)) {
    const notBefore = draft.context.now + retryDelayMs(node.retry, { error, failureCount, random })
    if (!pastTotalTimeout(node, record, notBefore)) {
      const waitReason = { code: 'backoff', message: error.message }
      const cause = { kind: 'retry', by: null, detail: error.message }
      moveInvocation(draft, record.id, {
        to: 'RETRY',
        cause,
        set: { ...set, wait: null, notBefore, waitReason },
      })
      return
    }
  }
  failFinally(draft, record, { node, set, attempt: null, final })
}

/** The error of a step whose run didn't go well. */
export const errorOfCall = (record: InvocationRecord, outcome: CallOutcome): ErrorRecord =>
  outcome.kind === 'refused' ? outcome.error : errorOf(record, outcome.run)

function errorOf(record: InvocationRecord, child: RunRecord): ErrorRecord {
  const { id, status, workflowTitle, error } = child
  const details = { childRunId: id, status, cause: error?.code ?? null, childError: error?.message ?? null }
  if (status === 'CANCELLED') {
    const message = `The run ${id} of “${workflowTitle}”, which “${record.nodeId}” started, was cancelled.`
    return errorRecord('sub_run_cancelled', { message, details })
  }
  const how = status === 'TIMED_OUT' ? 'took too long' : 'failed'
  const why = error === null ? '' : ` ${error.message}`
  const message = `The run ${id} of “${workflowTitle}”, which “${record.nodeId}” started, ${how}:${why}`
  return errorRecord('sub_run_failed', { message, details })
}
