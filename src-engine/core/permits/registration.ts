/**
 * Registration control: the same demand twice is one. Who is registered first stands for the demand until it
 * begins; who asks for the same meanwhile gets that one's result, or is refused. A demand is known once its
 * parameters are, so a new invocation waits a moment for being entered before it may be claimed.
 */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Payload } from '../../model/payload.ts'
import type { CompiledNode } from '../compile.ts'
import { isHeld, isPauseAsked } from '../control/hold.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf, recordOf, touchInvocation } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { settle } from '../settle.ts'
import { waitEndOf } from '../wait-ends.ts'
import type { DemandDifference } from './demand.ts'
import { isUnentered, namesOf } from './demand.ts'

/** The invocation that stands for the same demand already. */
export interface FirstDemand {
  readonly id: InvocationId
  /** In arguments that are no keys; null when there is none. */
  readonly difference: DemandDifference | null
}

export interface Entry {
  readonly id: InvocationId
  /** With the key of its demand; without registration when its parameters can't be resolved. */
  readonly plan: PermitPlan
  /** The resolved parameters. */
  readonly input: Payload | null
  /** Null when nobody stands for it yet. */
  readonly first: FirstDemand | null
}

/**
 * Enters demands of one run, in order: each stands for its own from now on, or waits for the one that does,
 * or fails. Those that are no longer to be entered (begun, ended, set aside) are left out; null when all are.
 */
export function enterDemands(
  state: RunState,
  context: DecisionContext,
  entries: readonly Entry[],
): Decision | null {
  const open = entries.filter(({ id }) => isToBeEntered(state.invocations.get(id), context))
  if (open.length === 0) return null
  const draft = createDraft(state, context)
  for (const entry of open) {
    const record = recordOf(draft, entry.id)
    // The failure of one before it may have ended the others of its level.
    if (isToBeEntered(record, context)) enter(draft, record, entry)
  }
  settle(draft)
  return finishDraft(draft)
}

function isToBeEntered(
  record: InvocationRecord | undefined,
  context: DecisionContext,
): record is InvocationRecord {
  if (record === undefined || !isUnentered(record) || record.cancelRequestedAt !== null) return false
  if (record.status === 'PENDING') return record.lease?.runnerId === context.actor.id
  return invocationMachine.available.has(record.status) && !isHeld(record)
}

function enter(draft: Draft, record: InvocationRecord, entry: Entry): void {
  const { plan, input, first } = entry
  if (first === null) {
    touchInvocation(draft, record.id, { permits: plan, input, notBefore: null })
    return
  }
  const open = record.status === 'PENDING' ? moveInvocation(draft, record.id, { to: 'REROUTED' }) : record
  yieldTo(draft, open, { ...entry, first })
}

function yieldTo(
  draft: Draft,
  record: InvocationRecord,
  entry: Entry & { readonly first: FirstDemand },
): void {
  const { plan, input, first } = entry
  const { id, difference } = first
  const node = nodeOf(draft, record)
  if (difference !== null && node.permits?.onDifferent === 'raise') {
    const error = errorRecord('concurrency_different_arguments', {
      message: `“${record.nodeId}” is asked for with other arguments already, by ${id}: ${namesOf(difference)}.`,
      details: { existing: id, nodeId: record.nodeId, ...(mayStay(node) ? difference : {}) },
    })
    const set = { error, input, permits: plan }
    failFinally(draft, record, { node, set, attempt: null, final: 'FAILED' })
    return
  }
  const differs = difference === null ? '' : ` It was asked for with other arguments: ${namesOf(difference)}.`
  moveInvocation(draft, record.id, {
    to: 'WAITING',
    set: {
      permits: plan,
      input,
      wait: { kind: 'reuse', invocationId: id },
      notBefore: waitEndOf(node, record, null),
      waitReason: {
        code: 'reuse',
        message: `Gets the result of ${id}, which stands for the same.${differs}`,
      },
    },
  })
}

/** An error stays with its run: it tells no values of what is not to stay, nor of what may quote what is taken out. */
const mayStay = ({ keep, redact }: CompiledNode): boolean => keep === null && redact.length === 0

/**
 * Hands on what the first demand came to; `first` is null when it is gone. What was cancelled, or is gone,
 * was never done: then whoever waited for it is a demand of its own. Null when it doesn't wait for that one, or
 * stands still.
 */
export function deliverReuse(
  state: RunState,
  context: DecisionContext,
  reuse: {
    readonly id: InvocationId
    readonly firstId: InvocationId
    readonly first: InvocationRecord | null
  },
): Decision | null {
  const { id, firstId, first } = reuse
  const record = state.invocations.get(id)
  if (record?.status !== 'WAITING' || record.wait?.kind !== 'reuse') return null
  if (record.wait.invocationId !== firstId || isPauseAsked(record)) return null
  if (first !== null && !invocationMachine.final.has(first.status)) return null
  const draft = createDraft(state, context)
  const node = nodeOf(draft, record)
  if (first === null || first.status === 'CANCELLED') standAlone(draft, record)
  else if (first.status === 'SUCCESS') {
    const { output, ports } = first
    const done = moveInvocation(draft, id, { to: 'SUCCESS', set: { wait: null, output, ports, error: null } })
    propagateFrom(draft, node, done)
  } else {
    const error = first.error ?? errorRecord('task_failed')
    const final = first.status === 'TIMEOUT' ? 'TIMEOUT' : 'FAILED'
    failFinally(draft, record, { node, set: { wait: null, error }, attempt: null, final })
  }
  settle(draft)
  return finishDraft(draft)
}

function standAlone(draft: Draft, record: InvocationRecord): void {
  const { permits } = record
  if (permits === null) return
  moveInvocation(draft, record.id, {
    to: 'REROUTED',
    set: { wait: null, permits: { ...permits, registration: { key: null } } },
  })
}
