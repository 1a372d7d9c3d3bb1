/** The writes of one record with all of its indexes. */

import type { AttemptRecord } from '../../model/attempt.ts'
import { sameFence } from '../../model/fence.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { claimableRun } from '../claim.ts'
import type { News } from '../hints.ts'
import { news, noNews } from '../hints.ts'
import { attemptText, invocationText, runText } from './body-codec.ts'
import { moveInvocation, moveRun } from './index-entries.ts'
import { keyNames, runFields, runGroup } from './layout.ts'
import type { PartitionState, Seen } from './partition-state.ts'
import { shapeOf } from './shapes.ts'
import type { WriteTag } from './tokens.ts'
import { recordToken, runToken } from './tokens.ts'
import type { Check, Op } from './unit.ts'

/** A unit while it is made. */
export interface Draft {
  readonly state: PartitionState
  readonly tag: WriteTag
  readonly checks: Check[]
  readonly ops: Op[]
  /** What it means for those who don't follow events. */
  found: News
}

/** A unit to which nothing was added yet. */
export const newDraft = (state: PartitionState, tag: WriteTag): Draft => ({
  state,
  tag,
  checks: [],
  ops: [],
  found: noNews,
})

/** Writes a run over what was seen of it. */
export function writeRun(draft: Draft, run: RunRecord, before: Seen<RunRecord>): void {
  const { state, tag, checks, ops } = draft
  const key = state.keys.run(run.id)
  const token = runToken(run.version, tag, run.status)
  checks.push({ key, field: runFields.token, believed: before.token, written: token })
  ops.push({ code: 'h', key, args: [runFields.body, runText(run), runFields.token, token] })
  const from = before.item === null ? null : listOf(state, before.item)
  const to = listOf(state, run)
  if (from !== to) ops.push({ code: 's', key, keys: [from, to], args: [run.id] })
  if (before.item === null && run.requestId !== null) {
    ops.push({ code: 'x', key: state.keys.of(keyNames.requests), args: [run.requestId, run.id] })
  }
  // What waited in its queues all the time may be claimed again.
  if (before.item !== null && claimableRun(run.status) && !claimableRun(before.item.status)) {
    draft.found |= news.work
  }
  draft.found |= moveRun(draft, before.item, run)
}

const listOf = (state: PartitionState, run: RunRecord): string =>
  state.keys.of(keyNames.runs(runGroup(run.workflowId), run.status))

/** Writes an invocation over what was seen of it. */
export function writeInvocation(
  draft: Draft,
  record: InvocationRecord,
  before: Seen<InvocationRecord>,
): void {
  const { state, tag, checks, ops } = draft
  const key = state.keys.run(record.runId)
  const field = runFields.invocationToken(record.id)
  const token = recordToken(record.version, tag)
  checks.push({ key, field, believed: before.token, written: token })
  ops.push({
    code: 'h',
    key,
    args: [runFields.invocation(record.id), invocationText(record), field, token],
  })
  if (before.item === null) ops.push({ code: 'n', key, args: [runFields.invocationPlace(record.id)] })
  if (invocationMachine.available.has(record.status)) tellShape(draft, record)
  draft.found |= moveInvocation(draft, before.item, record)
  if (before.item !== null && isAskedAnew(before.item, record)) draft.found |= news.control
  writeLease(draft, record, before.item)
}

function tellShape({ state, ops }: Draft, record: InvocationRecord): void {
  const { id, text } = shapeOf(record)
  // After a refusal it isn't known: what is sent again is sent whole.
  if (!state.shapes.has(id)) ops.push({ code: 'x', key: state.keys.of(keyNames.shapes), args: [id, text] })
}

/** Whether its owner was asked to stop, or to go on. */
const isAskedAnew = (
  before: InvocationRecord,
  { lease, cancelRequestedAt, dispatch }: InvocationRecord,
): boolean =>
  lease !== null &&
  (before.cancelRequestedAt !== cancelRequestedAt ||
    (before.dispatch?.pauseRequestedAt ?? null) !== (dispatch?.pauseRequestedAt ?? null))

/** What a renewal is compared with: runner, fence, and whether somebody asked to cancel. */
const ownerText = ({ lease, cancelRequestedAt }: InvocationRecord): string =>
  lease === null
    ? ''
    : `${lease.fence.epoch}.${lease.fence.counter} ${cancelRequestedAt === null ? 0 : 1} ${lease.runnerId}`

function writeLease({ state, ops }: Draft, record: InvocationRecord, before: InvocationRecord | null): void {
  const key = state.keys.of('leases')
  const { id, lease } = record
  const held = before?.lease ?? null
  if (lease === null) {
    if (held !== null) ops.push({ code: 'm', key, args: [id] })
    return
  }
  const fresh = held === null || !sameFence(held.fence, lease.fence)
  ops.push({ code: 'l', key, args: [id, ownerText(record), fresh ? 1 : 0, lease.expiresAt] })
}

/** Writes an attempt; it keeps its place when it is written again. */
export function writeAttempt({ state, ops }: Draft, attempt: AttemptRecord): void {
  const field = runFields.attempt(attempt.invocationId, attempt.number)
  ops.push({ code: 'p', key: state.keys.run(attempt.runId), args: [field, attemptText(attempt)] })
}
