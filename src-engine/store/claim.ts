/** Which invocations a runner may claim, in which order, and what a claim does to one. */

import type { EventDraft } from '../model/event.ts'
import { nextFence } from '../model/fence.ts'
import type { OpId } from '../model/ids.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord, Lease, Priority } from '../model/invocation.ts'
import { priorityRank } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { ClaimRequest } from './store.ts'

/** From when on an available invocation may be claimed; also what its waiting is counted from. */
export const availableAt = (record: Pick<InvocationRecord, 'notBefore' | 'registeredAt'>): Instant =>
  record.notBefore ?? record.registeredAt

/** Nothing of a paused or ended run is claimed; compensations of a compensating one are. */
export const claimableRun = (status: RunStatus): boolean =>
  status !== 'PAUSED' && !runMachine.final.has(status)

/** Whether the request's runner may have this invocation now. */
export function claimable(record: InvocationRecord, run: RunStatus, request: ClaimRequest): boolean {
  return (
    invocationMachine.available.has(record.status) &&
    availableAt(record) <= request.now &&
    request.pools.includes(record.pool) &&
    request.capabilities.includes(record.taskKind) &&
    claimableRun(run)
  )
}

/**
 * Smaller is more urgent. A waiting invocation gains a priority step per `agingMs`, so a step is worth that
 * span of waiting: the order doesn't depend on now, and an index can keep it.
 */
const urgency = (priority: Priority, since: Instant, agingMs: Millis): number =>
  since + priorityRank[priority] * agingMs

/** Negative when `a` is to be claimed before `b`. */
export function compareUrgency(a: InvocationRecord, b: InvocationRecord, agingMs: Millis): number {
  const difference =
    urgency(a.priority, availableAt(a), agingMs) - urgency(b.priority, availableAt(b), agingMs)
  if (difference !== 0) return difference
  return (
    priorityRank[a.priority] - priorityRank[b.priority] ||
    availableAt(a) - availableAt(b) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** The claimed form of an invocation with its event; `opId` is the same for the same acquisition. */
export function claimInvocation(
  record: InvocationRecord,
  request: ClaimRequest,
  epoch: number,
): { readonly record: InvocationRecord; readonly event: EventDraft; readonly opId: OpId } {
  const { runnerId, now, ttlMs } = request
  const fence = nextFence(record.fence, epoch)
  const lease: Lease = { runnerId, fence, expiresAt: now + ttlMs }
  const set = { status: 'PENDING', version: record.version + 1, lease, fence, waitReason: null } as const
  return {
    record: { ...record, ...set },
    opId: opId(`claim:${record.id}:${fence.epoch}.${fence.counter}`),
    event: {
      runId: record.runId,
      invocationId: record.id,
      cause: { kind: 'claim', by: runnerId, detail: null },
      body: { type: 'invocation.changed', from: record.status, to: 'PENDING', set, attempt: null },
    },
  }
}
