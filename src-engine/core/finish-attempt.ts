/** What the end of an attempt leads to: success, another try, an error port, or the end of the run. */

import type { ApprovalRequest } from '../model/approval.ts'
import type { AttemptRecord } from '../model/attempt.ts'
import type { EmittedEvent } from '../model/effect.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { Fence } from '../model/fence.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { OutputCheck } from '../model/output/output-check.ts'
import type { Payload } from '../model/payload.ts'
import { retryDelayMs, shouldRetry } from '../model/retry.ts'
import type { Instant, Millis } from '../model/time.ts'
import { endByAsking } from './approvals/ask.ts'
import type { BodyWait, OpenedItems } from './bodies.ts'
import { openBody } from './bodies.ts'
import type { CallEnd } from './calls.ts'
import { callRun } from './calls.ts'
import { dispatchWith } from './control/hold.ts'
import { endSkipped, isSkipAsked } from './control/skip.ts'
import type { Decision, DecisionContext, Draft } from './draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf, recordOf } from './draft.ts'
import { emits } from './effects.ts'
import { endedAttempt, outcomes } from './ended-attempt.ts'
import { askAPerson, failFinally, pastTotalTimeout, propagateEnd } from './fail-finally.ts'
import { endAsked, handBack } from './handed-back.ts'
import type { LeaveEnd } from './leave-turn.ts'
import { leaveTurn } from './leave-turn.ts'
import { noteRedacted, withhold } from './output/hold-back.ts'
import type { SkippedEnd } from './pass-over.ts'
import { passOver } from './pass-over.ts'
import { isTimeoutAsked, withTimeoutLetter } from './reconcile/timeout-request.ts'
import type { ReusedEnd } from './reuse.ts'
import { reuse } from './reuse.ts'
import type { RunState } from './run-state.ts'
import { isLoser } from './run-state.ts'
import { leavesEffect } from './saga/record-undo.ts'
import { settle } from './settle.ts'
import type { SignalWait } from './signal-turnout.ts'
import { awaitSignal } from './signals.ts'
import { enterRunning } from './start-now.ts'
import type { SteerEnd } from './steer-runs.ts'
import { steerRuns } from './steer-runs.ts'
import type { StopEnd } from './stop-run.ts'
import { stopRun } from './stop-run.ts'
import { goesOn } from './stopping.ts'
import { waitEndOf } from './wait-ends.ts'

/** An attempt that failed, or took too long. */
export interface FailedEnd {
  readonly kind: 'failed' | 'timed-out'
  readonly error: ErrorRecord
  /** In [0, 1): the jitter of a pause before another try. */
  readonly random: number
  /** What the condition of its retries said; absent where nobody asked. */
  readonly again?: boolean
}

/** How an attempt ended, as its runner reports it. */
export type AttemptEnd =
  | { readonly kind: 'succeeded'; readonly output: Payload; readonly ports: readonly string[] | null }
  | { readonly kind: 'parked'; readonly until: Instant; readonly reason: string; readonly output: Payload }
  /** A map has its items, a loop its next turn: the body runs now. */
  | {
      readonly kind: 'opens'
      readonly wait: BodyWait
      /** So long its turn waits first; absent for one that begins at once. */
      readonly delayMs?: Millis
      /** What people know the items by; absent where that is their number. */
      readonly keys?: Payload
      /** What tells its items apart, and which were done before; absent where nobody asks. */
      readonly items?: OpenedItems
    }
  /** It needs a signal: one that is there already, or one until that instant. */
  | {
      readonly kind: 'awaits'
      readonly wait: SignalWait
      readonly until: Instant | null
      readonly output: Payload
    }
  /** A person is to decide how it goes on. */
  | { readonly kind: 'asks'; readonly request: ApprovalRequest }
  | StopEnd
  | LeaveEnd
  | SteerEnd
  | CallEnd
  /** It succeeded, and tells something to whom it may concern. */
  | { readonly kind: 'emits'; readonly event: EmittedEvent; readonly output: Payload }
  | FailedEnd
  /** Whether an earlier attempt had its effect could not be found out; `error` says why. Nothing was begun. */
  | { readonly kind: 'unsure'; readonly error: ErrorRecord }
  | { readonly kind: 'cancelled' }
  /** It succeeded, and the output policy holds back what it gave. */
  | { readonly kind: 'withheld'; readonly check: OutputCheck }
  | SkippedEnd
  | ReusedEnd
  /** The runner stops and gives the work back; `begun` when the task may have had an effect already. */
  | { readonly kind: 'handed-back'; readonly begun: boolean }

export interface AttemptFact {
  readonly invocationId: InvocationId
  /** The ownership under which the attempt ran. */
  readonly fence: Fence
  readonly end: AttemptEnd
  readonly input: Payload | null
  readonly log: Payload | null
  /** What was taken out of the output, and why; absent where nothing was. */
  readonly redacted?: OutputCheck
}

/** Null when the invocation isn't owned under that fence any more: the fact is to be dropped. */
export function finishAttempt(state: RunState, context: DecisionContext, fact: AttemptFact): Decision | null {
  const record = state.invocations.get(fact.invocationId)
  if (record === undefined || !isOwnedUnder(record, fact.fence)) return null
  const draft = createDraft(state, context)
  applyEnd(draft, record, isAskedInVain(record, fact.end) ? { ...fact, end: { kind: 'cancelled' } } : fact)
  if (fact.redacted !== undefined) noteRedacted(draft, record.id, fact.redacted)
  settle(draft)
  const decision = withVersions(finishDraft(draft), fact.end)
  if (!isTimeoutAsked(record)) return decision
  return withTimeoutLetter(decision, record, record.waitReason?.code ?? 'running_timeout')
}

/** Whether an end may be told together with others of its run: it goes well, and says no more than that. */
export const isShareable = (end: AttemptEnd): boolean => end.kind === 'succeeded'

/**
 * Shareable ends of several attempts of one run, in one checkpoint. What isn't owned under its fence any more
 * is dropped; null when that is all of them.
 */
export function finishAttempts(
  state: RunState,
  context: DecisionContext,
  facts: readonly AttemptFact[],
): Decision | null {
  const draft = createDraft(state, context)
  for (const fact of facts) {
    // As the ends before it left it: a join may have asked it to stop meanwhile.
    const record = recordOf(draft, fact.invocationId)
    if (record === undefined || !isOwnedUnder(record, fact.fence)) continue
    draft.context = { ...context, cause: { ...context.cause, by: record.id } }
    applyEnd(draft, record, fact)
    if (fact.redacted !== undefined) noteRedacted(draft, record.id, fact.redacted)
  }
  if (draft.attempts.length === 0) return null
  settle(draft)
  return finishDraft(draft)
}

const isOwnedUnder = ({ lease }: InvocationRecord, { counter, epoch }: Fence): boolean =>
  lease !== null && lease.fence.counter === counter && lease.fence.epoch === epoch

const waiting: ReadonlySet<AttemptEnd['kind']> = new Set([
  'parked',
  'opens',
  'awaits',
  'asks',
  'calls',
  'unsure',
  'skipped',
  'leaves',
  'reused',
])

/** Its owner was asked to stop, but it only began to wait or did nothing: the request counts. */
const isAskedInVain = (record: InvocationRecord, end: AttemptEnd): boolean =>
  record.cancelRequestedAt !== null && waiting.has(end.kind)

function withVersions(decision: Decision, end: AttemptEnd): Decision {
  if (end.kind !== 'calls' || end.versions.length === 0) return decision
  const writes = { ...decision.checkpoint.writes, workflowVersions: end.versions }
  return { ...decision, checkpoint: { ...decision.checkpoint, writes } }
}

/** Ends that what stands still may have: its try is over, without what it was to come to. */
const mayEndPaused: ReadonlySet<AttemptEnd['kind']> = new Set([
  'failed',
  'timed-out',
  'unsure',
  'cancelled',
  'handed-back',
])

/** Ends of what nobody wants, or others are to do: whether it had begun changes nothing about them. */
const needsNoBeginning: ReadonlySet<AttemptEnd['kind']> = new Set(['cancelled', 'handed-back'])

/** The record where such an end may follow. */
function readyToEnd(draft: Draft, record: InvocationRecord, { kind }: AttemptEnd): InvocationRecord {
  // Others went on with its run before the beginning that a failover took back could be written again: what came of it
  // is known all the same.
  if (record.status === 'PENDING' && !needsNoBeginning.has(kind)) return enterRunning(draft, record)
  // It ended in the moment in which it was to stand still.
  if (record.status === 'PAUSED' && !mayEndPaused.has(kind))
    moveInvocation(draft, record.id, { to: 'RESUMED' })
  return record
}

function applyEnd(draft: Draft, given: InvocationRecord, fact: AttemptFact): void {
  const { end } = fact
  const record = readyToEnd(draft, given, end)
  const ended = () => ({ input: fact.input, attempt: attemptRecord(draft, record, fact) })
  switch (end.kind) {
    case 'succeeded':
      succeed(draft, record, { fact, output: end.output, ports: end.ports })
      return
    case 'parked':
      park(draft, record, { fact, end })
      return
    case 'opens':
      openBody(draft, record, {
        wait: end.wait,
        delayMs: end.delayMs ?? null,
        keys: end.keys ?? null,
        items: end.items ?? null,
        ...ended(),
      })
      return
    case 'awaits':
      awaitSignal(draft, record, { ...end, ...ended() })
      return
    case 'asks':
      endByAsking(draft, record, { request: end.request, ended: ended() })
      return
    case 'calls':
      callRun(draft, record, { end, ...ended() })
      return
    case 'emits':
    case 'steers':
      succeed(draft, record, { fact, output: end.output, ports: null })
      if (end.kind === 'emits') emits(draft, end.event)
      else steerRuns(draft, record, end)
      return
    case 'stops':
      stopRun(draft, record, { end, ...ended() })
      return
    case 'leaves':
      leaveTurn(draft, record, { end, ...ended() })
      return
    case 'failed':
    case 'timed-out': {
      const final = end.kind === 'failed' ? 'FAILED' : 'TIMEOUT'
      fail(draft, record, { fact, error: end.error, random: end.random, again: end.again ?? null, final })
      return
    }
    case 'unsure':
      moveInvocation(draft, record.id, { to: 'KILLED', attempt: attemptRecord(draft, record, fact) })
      askAPerson(draft, record, end.error)
      return
    case 'cancelled':
      endAsked(draft, record, { input: fact.input, attempt: attemptRecord(draft, record, fact) })
      return
    case 'withheld':
      withhold(draft, record, { check: end.check, ...ended() })
      return
    case 'skipped':
      passOver(draft, record, { end, attempt: attemptRecord(draft, record, fact) })
      return
    case 'reused':
      reuse(draft, record, { end, ...ended() })
      return
    case 'handed-back':
      handBack(draft, record, { begun: end.begun, ...ended() })
      return
  }
}

function succeed(
  draft: Draft,
  record: InvocationRecord,
  done: { readonly fact: AttemptFact; readonly output: Payload; readonly ports: readonly string[] | null },
): void {
  const { fact, output, ports } = done
  moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { input: fact.input, output, ports, error: null },
    attempt: attemptRecord(draft, record, fact),
  })
  propagateEnd(draft, record)
}

function park(
  draft: Draft,
  record: InvocationRecord,
  parked: { readonly fact: AttemptFact; readonly end: Extract<AttemptEnd, { readonly kind: 'parked' }> },
): void {
  const { fact, end } = parked
  moveInvocation(draft, record.id, {
    to: 'WAITING',
    set: {
      input: fact.input,
      output: end.output,
      notBefore: waitEndOf(nodeOf(draft, record), record, end.until),
      waitReason: { code: 'timer', message: end.reason },
    },
    attempt: attemptRecord(draft, record, fact),
  })
}

interface Failure {
  readonly fact: AttemptFact
  readonly error: ErrorRecord
  readonly random: number
  readonly again: boolean | null
  readonly final: 'FAILED' | 'TIMEOUT'
}

function fail(draft: Draft, record: InvocationRecord, failure: Failure): void {
  const { fact, error } = failure
  const node = nodeOf(draft, record)
  const failureCount = record.failureCount + 1
  const attempt = attemptRecord(draft, record, fact)
  const common = { input: fact.input, error, failureCount }
  if (isSkipAsked(record)) {
    endSkipped(draft, record, { set: common, attempt })
    propagateEnd(draft, record)
    return
  }
  if (isLoser(record)) {
    // Nobody waits for it any more: its failure must not become the run's.
    moveInvocation(draft, record.id, { to: 'CANCELLED', set: common, attempt })
    propagateEnd(draft, record)
    return
  }
  if (
    record.cancelRequestedAt === null &&
    goesOn(draft, record) &&
    shouldRetry(node.retry, { error, failureCount }, failure.again)
  ) {
    const notBefore =
      draft.context.now + retryDelayMs(node.retry, { error, failureCount, random: failure.random })
    if (!pastTotalTimeout(node, record, notBefore) && mayRetry(record, failureCount)) {
      moveInvocation(draft, record.id, {
        to: 'RETRY',
        cause: { kind: 'retry', by: null, detail: error.message },
        set: {
          ...common,
          notBefore,
          waitReason: { code: 'backoff', message: error.message },
          // Somebody else is to try first, if there is somebody.
          dispatch: dispatchWith(record, {
            lastFailedRunner: record.lease?.runnerId ?? null,
            ...(node.undo !== null && (failure.final === 'TIMEOUT' || leavesEffect(error))
              ? { hadUnknownEffect: true }
              : {}),
          }),
        },
        attempt,
      })
      return
    }
  }
  failFinally(draft, record, { node, set: common, attempt, final: failure.final })
}

/** Whether the policy allows another try after so many failures. */
const mayRetry = ({ dispatch }: InvocationRecord, failureCount: number): boolean =>
  failureCount <= (dispatch?.policy?.constraints?.maxRetries ?? failureCount)

function attemptRecord(draft: Draft, record: InvocationRecord, fact: AttemptFact): AttemptRecord {
  const { end } = fact
  return endedAttempt(draft, record, {
    outcome: end.kind === 'stops' && end.reused !== undefined ? 'reused' : outcomes[end.kind],
    input: fact.input,
    output: 'output' in end ? end.output : null,
    error: 'error' in end && end.kind !== 'stops' ? end.error : null,
    log: fact.log,
  })
}
