/** Decisions that don't come from an attempt's end: start of claimed work, timers, cancel, deadlines, people. */

import { gateStepId } from '../model/engine-steps.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import type { Payload } from '../model/payload.ts'
import { isRollingBack, runMachine } from '../model/run-status.ts'
import { passInstant } from './approvals/in-time.ts'
import { openTurn } from './bodies.ts'
import { breakBefore, breakpointOf, goBy, goesOn, isItsTime, pausedNoMore } from './control/breakpoints.ts'
import { hold, isPauseAsked } from './control/hold.ts'
import { isPausing } from './control/pausing.ts'
import { endSkipped, isSkipAsked } from './control/skip.ts'
import type { Decision, DecisionContext } from './draft.ts'
import { changeRun, createDraft, finishDraft, moveInvocation, nodeOf, recordOf } from './draft.ts'
import { failFinally } from './fail-finally.ts'
import { endLine } from './permits/line-end.ts'
import { applyVerdict } from './policy/apply-verdict.ts'
import { openGate } from './policy/gate.ts'
import type { Verdict } from './policy/verdict.ts'
import { withPlaces } from './policy/verdict.ts'
import { endJoinInTime, propagateFrom } from './propagate.ts'
import { isTimeoutAsked, timeoutError, withTimeoutLetter } from './reconcile/timeout-request.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'
import { endWaitForSignal } from './signal-timeout.ts'
import { enterRunning } from './start-now.ts'
import { endCutWait } from './total-timeout.ts'
import { isWaitCut } from './wait-ends.ts'

/** Whether a breakpoint's condition holds, or why nobody can say. */
export type BreakAnswer = { readonly holds: boolean } | { readonly problem: string }

/** A claimed (PENDING) invocation begins to run; null when it isn't this runner's any more. */
export function beginAttempt(
  state: RunState,
  context: DecisionContext,
  begun: {
    readonly id: InvocationId
    /** Its permits with those that depend on its parameters; null to leave them as they are. */
    readonly permits: PermitPlan | null
    /** What the safety kernel said; absent where nobody had to be asked. */
    readonly verdict?: Verdict | null
    /** What the condition of its breakpoint gave; absent where there is none to ask. */
    readonly broke?: BreakAnswer | undefined
  },
): Decision | null {
  const { id, permits, verdict = null } = begun
  const record = state.invocations.get(id)
  if (record?.status !== 'PENDING' || record.lease?.runnerId !== context.actor.id) return null
  const draft = createDraft(state, context)
  if (isSkipAsked(record)) {
    propagateFrom(draft, nodeOf(draft, record), endSkipped(draft, record))
  } else if (isTimeoutAsked(record)) {
    const set = { error: timeoutError(record, record.waitReason) }
    failFinally(draft, record, { node: nodeOf(draft, record), set, attempt: null, final: 'TIMEOUT' })
    settle(draft)
    return withTimeoutLetter(finishDraft(draft), record, record.waitReason?.code ?? 'dispatch_timeout')
  } else if (record.cancelRequestedAt !== null || isCancelled(state, record)) {
    const done = moveInvocation(draft, id, {
      to: 'CANCELLED',
      set: { error: errorRecord('task_cancelled') },
    })
    propagateFrom(draft, nodeOf(draft, record), done)
  } else if ((isPausing(draft) && !goesOn(draft, record)) || isPauseAsked(record)) {
    const askedAt = record.dispatch?.pauseRequestedAt ?? null
    hold(draft, moveInvocation(draft, id, { to: 'REROUTED' }), askedAt)
  } else if (meeting(state, record, begun.broke) === 'stops') {
    const { broke } = begun
    breakBefore(draft, record, broke !== undefined && 'problem' in broke ? broke.problem : null)
  } else if (verdict === null || applyVerdict(draft, record, verdict)) {
    if (meeting(state, record, begun.broke) === 'goes-by') goBy(draft, recordOf(draft, id) ?? record)
    const running = enterRunning(draft, recordOf(draft, id) ?? record, permits ?? record.permits)
    const going = verdict?.kind === 'goes' ? verdict : null
    const isGate = record.nodeId === gateStepId
    if (isGate) openGate(draft, running, going?.permits ?? [])
    else draft.started.push(running)
    settle(draft)
    return going === null ? finishDraft(draft) : withPlaces(finishDraft(draft), going, isGate)
  }
  settle(draft)
  return finishDraft(draft)
}

/** A condition that nobody could ask for stops the run: whoever set it will see why. */
/** What a breakpoint before the step has the run do; `goes-by` counts, for it stops another time. */
function meeting(
  { run }: RunState,
  record: InvocationRecord,
  answer: BreakAnswer | undefined,
): 'stops' | 'goes-by' | 'none' {
  const at = breakpointOf(run, record)
  if (at === null) return 'none'
  if (answer !== undefined && 'problem' in answer) return 'stops'
  if (at.condition !== null && answer !== undefined && !answer.holds) return 'none'
  return isItsTime(at) ? 'stops' : 'goes-by'
}

/** What undoes a cancelled run begins all the same. */
const isCancelled = ({ run }: RunState, { role }: InvocationRecord): boolean =>
  run.cancelRequestedAt !== null && role === 'forward'

/** In which an instant ends what is waited for, the waiting, or how urgent it is. */
const wakes: ReadonlySet<InvocationStatus> = new Set([
  'WAITING',
  'APPROVAL_REQUIRED',
  'CONCURRENCY_CONTROLLED',
])

/** A parked invocation's instant has come; null when it doesn't wait for one any more. */
export function wake(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record === undefined || record.notBefore === null || record.notBefore > context.now) return null
  if (!wakes.has(record.status)) return null
  const draft = createDraft(state, context)
  const node = nodeOf(draft, record)
  if (record.status === 'CONCURRENCY_CONTROLLED') endLine(draft, record, node)
  else if (record.wait?.kind === 'approval') passInstant(draft, record, record.wait)
  else if (isWaitCut(node, record)) endCutWait(draft, record, node)
  else if (record.wait?.kind === 'signal') endWaitForSignal(draft, record, record.wait)
  else if (record.wait?.kind === 'turn') openTurn(draft, record, record.wait)
  else if (record.wait?.kind === 'join') endJoinInTime(draft, record)
  else {
    const done = moveInvocation(draft, id, { to: 'SUCCESS' })
    propagateFrom(draft, node, done)
  }
  settle(draft)
  return finishDraft(draft)
}

/** A person or a caller wants the run to end; null when it has ended or is asked already. */
export function cancelRun(state: RunState, context: DecisionContext): Decision | null {
  const { status, cancelRequestedAt } = state.run
  if (runMachine.final.has(status) || isRollingBack(status) || cancelRequestedAt !== null) return null
  const draft = createDraft(state, context)
  changeRun(draft, { cancelRequestedAt: context.now, ...pausedNoMore(state.run) })
  settle(draft)
  return finishDraft(draft)
}

/** The run's own deadline has passed; null when it hasn't, or the run has ended. */
export function timeOutRun(state: RunState, context: DecisionContext): Decision | null {
  const { run } = state
  if (runMachine.final.has(run.status) || run.deadlineAt === null || run.deadlineAt > context.now) return null
  const draft = createDraft(state, context)
  const error = errorRecord('run_timed_out', { details: { deadlineAt: run.deadlineAt } })
  // Beside an earlier failure the deadline would leave no trace, and the other branches would go on.
  const cancelRequestedAt = run.error === null ? run.cancelRequestedAt : context.now
  changeRun(draft, { deadlineAt: null, error: run.error ?? error, cancelRequestedAt })
  settle(draft)
  return finishDraft(draft)
}

export type PersonDecision =
  | { readonly kind: 'run-again' }
  | { readonly kind: 'take-as-done'; readonly output: Payload }
  | { readonly kind: 'fail' }

/** What a person decided about a step that waits for one; null when it doesn't wait. */
export function resolveByPerson(
  state: RunState,
  context: DecisionContext,
  request: { readonly id: InvocationId; readonly decision: PersonDecision },
): Decision | null {
  const record = state.invocations.get(request.id)
  // What asks for an approval has answers of its own.
  if (record?.status !== 'APPROVAL_REQUIRED' || record.wait !== null) return null
  const draft = createDraft(state, context)
  const { decision } = request
  if (decision.kind === 'run-again') {
    // Whoever says so knows: its kind isn't asked once more.
    const set = nodeOf(draft, record).onLost === 'verify' ? { set: { error: null } } : {}
    moveInvocation(draft, record.id, { to: 'REROUTED', ...set })
  } else if (decision.kind === 'take-as-done') {
    const done = moveInvocation(draft, record.id, {
      to: 'SUCCESS',
      set: { output: decision.output, error: null },
    })
    propagateFrom(draft, nodeOf(draft, record), done)
  } else {
    const error = errorRecord('indeterminate_effect', {
      message: 'A person decided that this step failed.',
      hint: 'Start a new run when the outside system is as it should be.',
    })
    failFinally(draft, record, {
      node: nodeOf(draft, record),
      set: { error },
      attempt: null,
      final: 'FAILED',
    })
  }
  settle(draft)
  return finishDraft(draft)
}
