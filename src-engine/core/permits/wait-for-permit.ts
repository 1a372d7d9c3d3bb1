/** Work that finds no permit steps aside, and comes back when there is room. */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant } from '../../model/time.ts'
import { dispatchWith, isHeld } from '../control/hold.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { endLine, givesUpAt, isLineOver } from './line-end.ts'
import { isStartsPermit, whenFull } from './node-permits.ts'
import type { MissingKey } from './wait-reason.ts'
import { waitReasonOf } from './wait-reason.ts'

/** A permit that an invocation was refused. */
export interface MissingPermit extends MissingKey {
  readonly id: InvocationId
  /** What the work asked for; keys that depend on its parameters are known by now. */
  readonly plan: PermitPlan | null
  /** What becomes of work whose node doesn't say: it waits its turn, or it ends. */
  readonly onFull: 'reroute' | 'final'
}

/** Moves available work that a permit holds up out of the claim's way; null when it isn't available. */
export function waitForPermit(
  state: RunState,
  context: DecisionContext,
  missing: MissingPermit,
): Decision | null {
  const record = state.invocations.get(missing.id)
  if (record === undefined || !invocationMachine.available.has(record.status)) return null
  const draft = createDraft(state, context)
  stepAside(draft, record, missing)
  settle(draft)
  return finishDraft(draft)
}

/**
 * The same for claimed work whose permit depends on its parameters and was found to be taken: it is put
 * back first. Null when this runner doesn't own it any more.
 */
export function yieldForPermit(
  state: RunState,
  context: DecisionContext,
  missing: MissingPermit,
): Decision | null {
  const record = state.invocations.get(missing.id)
  if (record?.status !== 'PENDING' || record.lease?.runnerId !== context.actor.id) return null
  const draft = createDraft(state, context)
  const back = moveInvocation(draft, record.id, { to: 'REROUTED' })
  stepAside(draft, back, missing)
  settle(draft)
  return finishDraft(draft)
}

/**
 * Waiting work may try again: somebody released a permit. Where its time in line went by, it ends. Null when it
 * doesn't wait.
 */
export function leaveLine(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record?.status !== 'CONCURRENCY_CONTROLLED') return null
  const draft = createDraft(state, context)
  const node = nodeOf(draft, record)
  const delayMs = node.permits?.delayMs ?? 0
  const notBefore = delayMs === 0 ? null : context.now + delayMs
  if (isLineOver(node, record, context.now)) endLine(draft, record, node)
  else if (isHeld(record)) leaveLineHeld(draft, record, notBefore)
  else moveInvocation(draft, id, { to: 'REROUTED', set: { notBefore } })
  settle(draft)
  return finishDraft(draft)
}

/** What a pause set aside stays so, and no longer gives up: it has its turn once somebody resumes it. */
function leaveLineHeld(draft: Draft, record: InvocationRecord, notBefore: Instant | null): void {
  const held = { notBefore, waitReason: null, remainingMs: null }
  const { notBefore: until, waitReason } = record
  const set = { notBefore: until, waitReason, dispatch: dispatchWith(record, { held }) }
  moveInvocation(draft, record.id, { to: 'REROUTED', set })
}

function stepAside(draft: Draft, record: InvocationRecord, missing: MissingPermit): void {
  const node = nodeOf(draft, record)
  const plan = missing.plan ?? record.permits
  if (plan === null) return
  const end = whenFull(node.permits, missing.key, missing.onFull)
  if (end !== 'wait') {
    endWithoutRoom(draft, record, { ...missing, end })
    return
  }
  const { now } = draft.context
  // Who comes back and finds no room again keeps its place in line.
  const blockedSince = plan.blockedSince ?? record.permits?.blockedSince ?? now
  moveInvocation(draft, record.id, {
    to: 'CONCURRENCY_CONTROLLED',
    set: {
      permits: { ...plan, blockedSince, blockedBy: missing.key },
      notBefore: givesUpAt(node, record, blockedSince),
      // Standing in line is not dispatch: its timeout counts anew from the next claim.
      dispatch: record.dispatch === null ? null : { ...record.dispatch, firstClaimedAt: null },
      waitReason: waitReasonOf(plan, missing),
    },
  })
}

function endWithoutRoom(
  draft: Draft,
  record: InvocationRecord,
  missing: MissingPermit & { readonly end: 'fail' | 'skip' },
): void {
  const node = nodeOf(draft, record)
  const error = errorRecord(isStartsPermit(missing.key) ? 'rate_limited' : 'concurrency_limit', {
    message: `“${record.nodeId}” found no room: ${waitReasonOf(missing.plan ?? record.permits, missing).message}`,
    details: { key: missing.key, holders: [...missing.holders], nodeId: record.nodeId },
  })
  if (missing.end === 'skip') {
    const cause = { kind: 'skipped', by: null, detail: 'concurrency' }
    const after = moveInvocation(draft, record.id, {
      to: 'CONCURRENCY_CONTROLLED_FINAL',
      cause,
      set: { error, cause, ports: [] },
    })
    propagateFrom(draft, node, after)
    return
  }
  failFinally(draft, record, { node, set: { error }, attempt: null, final: 'CONCURRENCY_CONTROLLED_FINAL' })
}
