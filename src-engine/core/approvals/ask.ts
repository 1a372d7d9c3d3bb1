/** Putting a step before a person: it waits, holding no slot, until somebody decides or its time is over. */

import type { ApprovalRequest, ApprovalWait } from '../../model/approval.ts'
import { revisedHash } from '../../model/approval.ts'
import type { AttemptRecord } from '../../model/attempt.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import type { Instant } from '../../model/time.ts'
import type { CompiledNode } from '../compile.ts'
import type { Draft } from '../draft.ts'
import { moveInvocation, nodeOf } from '../draft.ts'
import { tellsPeople } from '../effects.ts'
import { waitEndOf } from '../wait-ends.ts'

/**
 * Asks a person about the invocation, which may be available, claimed, at work or just taken from its owner.
 * Asked again about the same step, the question is a new revision, and what was seen before is stale.
 */
export const requireApproval = (
  draft: Draft,
  record: InvocationRecord,
  request: ApprovalRequest,
): InvocationRecord => ask(draft, record, { request, ended: null })

/** An attempt's end: the step asks, and waits. */
export const endByAsking = (
  draft: Draft,
  record: InvocationRecord,
  asking: { readonly request: ApprovalRequest; readonly ended: EndedAsking },
): InvocationRecord => ask(draft, record, asking)

/** What an attempt that asks leaves behind. */
interface EndedAsking {
  readonly input: Payload | null
  readonly attempt: AttemptRecord
}

function ask(
  draft: Draft,
  record: InvocationRecord,
  { request, ended }: { readonly request: ApprovalRequest; readonly ended: EndedAsking | null },
): InvocationRecord {
  const { now } = draft.context
  const revision = lastRevision(record, request.for) + 1
  const wait: ApprovalWait = {
    ...request,
    kind: 'approval',
    hash: revisedHash(request.hash, revision),
    revision,
    requestedAt: now,
    escalatedAt: null,
  }
  // A claim is given back first: nobody may stand still with a slot in hand.
  if (record.status === 'PENDING') moveInvocation(draft, record.id, { to: 'REROUTED' })
  tellsPeople(draft, record, wait)
  const { dispatch } = record
  return moveInvocation(draft, record.id, {
    to: 'APPROVAL_REQUIRED',
    ...(ended === null ? {} : { attempt: ended.attempt }),
    set: {
      ...(ended === null ? {} : { input: ended.input }),
      wait,
      notBefore: nextInstantOf(nodeOf(draft, record), record, wait),
      waitReason: { code: 'approval', message: 'Waits until somebody has decided.' },
      // What people take is nobody's delay: the dispatch timeout counts anew from the next claim.
      dispatch: dispatch === null ? null : { ...dispatch, firstClaimedAt: null },
    },
  })
}

/** What the invocation waits for, when it is a decision; null otherwise. */
export const approvalOf = ({ status, wait }: InvocationRecord): ApprovalWait | null =>
  status === 'APPROVAL_REQUIRED' && wait?.kind === 'approval' ? wait : null

/** When the wait has news by itself: it becomes more urgent, or is over; null for never. */
export function nextInstantOf(
  node: CompiledNode,
  record: InvocationRecord,
  { escalateAt, expiresAt }: ApprovalWait,
): Instant | null {
  const first =
    escalateAt === null || expiresAt === null ? (escalateAt ?? expiresAt) : Math.min(escalateAt, expiresAt)
  return waitEndOf(node, record, first)
}

function lastRevision({ wait, dispatch }: InvocationRecord, asker: ApprovalRequest['for']): number {
  if (wait?.kind === 'approval' && wait.for === asker) return wait.revision
  return dispatch?.approval?.for === asker ? dispatch.approval.revision : 0
}
