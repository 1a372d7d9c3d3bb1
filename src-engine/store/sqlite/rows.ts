/** Runs to rows and back, and where SQL looks for an invocation. */

import { runId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runMachine } from '../../model/run-status.ts'
import { blockedSince } from '../blocked.ts'
import { availableAt, claimableRun } from '../claim.ts'
import { phaseOf, queueOf } from './schema.ts'

export interface RunRow {
  readonly key: number
  readonly id: string
  readonly status: RunStatus
  readonly version: number
  readonly deadline_at: number | null
  readonly body: string
}

/** The columns of a whole run; its version is in the events. */
export const runColumns = `key, id, status, deadline_at, body,
  (select run_version from event_row where run_key = run.key order by position desc limit 1) as version`

/** Where SQL looks for an invocation of this status. */
export const queueByStatus: Readonly<Record<InvocationStatus, number>> = Object.fromEntries(
  invocationMachine.statuses.map((status) => [status, queueOfStatus(status)]),
) as Record<InvocationStatus, number>

function queueOfStatus(status: InvocationStatus): number {
  if (invocationMachine.available.has(status)) return queueOf.available
  if (invocationMachine.owned.has(status)) return queueOf.owned
  if (status === 'WAITING') return queueOf.waiting
  if (status === 'CONCURRENCY_CONTROLLED') return queueOf.blocked
  return invocationMachine.final.has(status) ? queueOf.idle : queueOf.parked
}

/** When a claim (available) or a timer (waiting) has news of it, or its place in line (blocked); else null. */
export function instantOf(record: InvocationRecord): number | null {
  if (invocationMachine.available.has(record.status)) return availableAt(record)
  if (record.status === 'CONCURRENCY_CONTROLLED') return blockedSince(record)
  return record.status === 'WAITING' ? record.notBefore : null
}

export function phaseOfStatus(status: RunStatus): number {
  if (runMachine.final.has(status)) return phaseOf.final
  return claimableRun(status) ? phaseOf.claimable : phaseOf.paused
}

/** The stored text of a run: all of it but what columns and events have. */
export function encodeRun(record: RunRecord): string {
  const { id: _id, status: _status, version: _version, deadlineAt: _deadlineAt, ...body } = record
  return JSON.stringify(body)
}

export function decodeRun(row: RunRow): RunRecord {
  // The text was written by `encodeRun`.
  const body = JSON.parse(row.body) as Omit<RunRecord, 'id' | 'status' | 'version' | 'deadlineAt'>
  return { ...body, id: runId(row.id), status: row.status, version: row.version, deadlineAt: row.deadline_at }
}
