/** The writes of one record with all of its indexes. */

import type { AttemptRecord } from '../../model/attempt.ts'
import { sameFence } from '../../model/fence.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { claimableRun } from '../claim.ts'
import { news } from '../hints.ts'
import { attemptText, invocationText, runText } from './body-codec.ts'
import type { Draft } from './draft.ts'
import { hashOfRun } from './draft.ts'
import { moveInvocation, moveRun } from './index-entries.ts'
import { keyNames, runFields, runGroup } from './layout.ts'
import type { PartitionState, Seen } from './partition-state.ts'
import { shapeOf } from './shapes.ts'
import { invocationToken, runToken } from './tokens.ts'

/** Writes a run over what was seen of it. */
export function writeRun(draft: Draft, run: RunRecord, before: Seen<RunRecord>): void {
  const { state, tag, ops } = draft
  const { key, written, placed, sets } = hashOfRun(draft, run.id)
  const token = runToken(run.version, tag, run.status)
  written.push({ field: runFields.token, believed: before.token, token })
  // Then it stands where it did in every list, too.
  if (isOnlyCounted(before.item, run)) return
  sets.push(runFields.body, runText(run))
  if (before.item === null) placed.push({ field: runFields.place, text: '' })
  const from = before.item === null ? null : listOf(state, before.item)
  const to = listOf(state, run)
  if (from !== to) ops.push({ code: 's', key, keys: [from, to], args: [run.id] })
  if (before.item === null) {
    const all = state.keys.of(keyNames.runsOf(run.workflowId))
    ops.push({ code: 's', key, keys: [null, all], args: [run.id] })
  }
  if (before.item === null && run.requestId !== null) {
    ops.push({ code: 'x', key: state.keys.of(keyNames.requests), args: [run.requestId, run.id] })
  }
  // What waited in its queues all the time may be claimed again.
  if (before.item !== null && claimableRun(run.status) && !claimableRun(before.item.status)) {
    draft.news |= news.work
  }
  draft.news |= moveRun(draft, before.item, run)
}

/**
 * Whether nothing but its version has changed, as with most steps: the token tells that, and what is larger, its
 * input first of all, needn't be written again. What is equal but not the same is.
 */
function isOnlyCounted(before: RunRecord | null, run: RunRecord): boolean {
  if (before === null) return false
  for (const name in run) {
    // A record has its own fields alone.
    const field = name as keyof RunRecord
    if (field !== 'version' && run[field] !== before[field]) return false
  }
  return true
}

const listOf = (state: PartitionState, run: RunRecord): string =>
  state.keys.of(keyNames.runs(runGroup(run.workflowId), run.status))

/** Writes an invocation over what was seen of it. */
export function writeInvocation(
  draft: Draft,
  record: InvocationRecord,
  before: Seen<InvocationRecord>,
): void {
  const { written, placed, sets } = hashOfRun(draft, record.runId)
  const field = runFields.invocationToken(record.id)
  written.push({ field, believed: before.token, token: invocationToken(record, draft.tag) })
  sets.push(runFields.invocation(record.id), invocationText(record))
  if (before.item === null) placed.push({ field: runFields.invocationPlace(record.id), text: '' })
  if (invocationMachine.available.has(record.status)) tellShape(draft, record)
  draft.news |= moveInvocation(draft, before.item, record)
  if (before.item !== null && isAskedAnew(before.item, record)) draft.news |= news.control
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

function writeLease(draft: Draft, { id, lease }: InvocationRecord, before: InvocationRecord | null): void {
  const held = before?.lease ?? null
  if (lease === null) {
    if (held !== null) draft.left.push(id)
    return
  }
  const isFresh = held === null || !sameFence(held.fence, lease.fence)
  if (isFresh || held.expiresAt !== lease.expiresAt)
    draft.leases.push({ id, expiresAt: lease.expiresAt, isFresh })
}

/** Writes an attempt; it keeps its place when it is written again. */
export function writeAttempt(draft: Draft, attempt: AttemptRecord): void {
  const field = runFields.attempt(attempt.invocationId, attempt.number)
  hashOfRun(draft, attempt.runId).placed.push({ field, text: attemptText(attempt) })
}
