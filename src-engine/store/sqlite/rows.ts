/** Runs to rows and back, and where SQL looks for an invocation. */

import { definitionHash, runId, workflowId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { NewRun } from '../../model/new-records.ts'
import { newRun } from '../../model/new-records.ts'
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

/**
 * The stored text of a run: all of it but what columns and events have, and but what is as in a new run,
 * which is most of it.
 */
export function encodeRun(record: RunRecord): string {
  const { workflowId, workflowTitle, definitionHash, cause, input, now, seed, createdAt } = record
  const body: Record<string, unknown> = {
    workflowId,
    workflowTitle,
    definitionHash,
    cause,
    input,
    now,
    seed,
    createdAt,
  }
  for (const name of mostlyUsual) {
    const value = record[name]
    if (value === usualRun[name] || (Array.isArray(value) && value.length === 0)) continue
    body[name] = value
  }
  return JSON.stringify(body)
}

const usualRun = newRun({
  id: runId(''),
  workflowId: workflowId(''),
  workflowTitle: '',
  definitionHash: definitionHash(''),
  input: { kind: 'inline', json: 'null' },
  seed: '',
  now: 0,
})

const columns: readonly (keyof RunRecord)[] = ['id', 'status', 'version', 'deadlineAt']
const alwaysStored: readonly (keyof RunRecord)[] = [
  'workflowId',
  'workflowTitle',
  'definitionHash',
  'cause',
  'input',
  'now',
  'seed',
  'createdAt',
]
// Derived from a whole record: a field that is added is stored without a word here.
const mostlyUsual = (Object.keys(usualRun) as (keyof RunRecord)[]).filter(
  (name) => !columns.includes(name) && !alwaysStored.includes(name),
)

export function decodeRun(row: RunRow): RunRecord {
  // The text was written by `encodeRun`.
  const body = JSON.parse(row.body) as Omit<NewRun, 'id' | 'status' | 'version' | 'deadlineAt'>
  const { status, version, deadline_at: deadlineAt } = row
  return newRun({ ...body, id: runId(row.id), status, version, deadlineAt })
}
