/** Records to rows and back: hot fields are columns, the rest is JSON text without its default values. */

import type { Fence } from '../../model/fence.ts'
import { invocationId, runId, runnerId } from '../../model/ids.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { priorityRank } from '../../model/invocation.ts'
import type { InvocationRecord, Lease, Priority } from '../../model/invocation.ts'
import { runMachine } from '../../model/run-status.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { availableAt, claimableRun } from '../claim.ts'
import { phaseOf, queueOf } from './schema.ts'

/** The columns that decide about a checkpoint. */
export interface HeadRow {
  readonly key: number
  readonly status: InvocationStatus
  readonly version: number
  readonly owner: string | null
  readonly fence_epoch: number | null
  readonly fence_counter: number | null
  readonly lease_expires_at: number | null
  readonly cancel_requested_at: number | null
}

/** An invocation with its run's public id. */
export interface InvocationRow extends HeadRow {
  readonly id: string
  readonly run_id: string
  readonly rank: number
  readonly pool: string
  readonly task_kind: string
  readonly deadline_at: number | null
  readonly body: string
}

export interface RunRow {
  readonly key: number
  readonly id: string
  readonly status: RunStatus
  readonly version: number
  readonly deadline_at: number | null
  readonly body: string
}

type Body = Pick<
  InvocationRecord,
  | 'nodeId'
  | 'generation'
  | 'path'
  | 'role'
  | 'tags'
  | 'attempt'
  | 'failureCount'
  | 'crashCount'
  | 'registeredAt'
  | 'notBefore'
  | 'startedAt'
  | 'finishedAt'
  | 'waitReason'
  | 'cause'
  | 'input'
  | 'output'
  | 'ports'
  | 'error'
>
type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

const noTags: readonly string[] = []

/** Values that most records have; they are left out of the stored text. */
const usual = {
  generation: 0,
  path: '',
  role: 'forward',
  tags: noTags,
  attempt: 0,
  failureCount: 0,
  crashCount: 0,
  notBefore: null,
  startedAt: null,
  finishedAt: null,
  waitReason: null,
  input: null,
  output: null,
  ports: null,
  error: null,
} as const

const priorities = Object.keys(priorityRank) as readonly Priority[]

/** The stored text of the fields that aren't columns. */
export function encodeInvocation(record: InvocationRecord): string {
  const body: Mutable<Partial<Body>> = {
    nodeId: record.nodeId,
    registeredAt: record.registeredAt,
    cause: record.cause,
  }
  if (record.generation !== 0) body.generation = record.generation
  if (record.path !== '') body.path = record.path
  if (record.role !== 'forward') body.role = record.role
  if (record.tags.length > 0) body.tags = record.tags
  if (record.attempt !== 0) body.attempt = record.attempt
  if (record.failureCount !== 0) body.failureCount = record.failureCount
  if (record.crashCount !== 0) body.crashCount = record.crashCount
  if (record.notBefore !== null) body.notBefore = record.notBefore
  if (record.startedAt !== null) body.startedAt = record.startedAt
  if (record.finishedAt !== null) body.finishedAt = record.finishedAt
  if (record.waitReason !== null) body.waitReason = record.waitReason
  if (record.input !== null) body.input = record.input
  if (record.output !== null) body.output = record.output
  if (record.ports !== null) body.ports = record.ports
  if (record.error !== null) body.error = record.error
  return JSON.stringify(body)
}

export function decodeInvocation(row: InvocationRow): InvocationRecord {
  // The text was written by `encodeInvocation`.
  const body = JSON.parse(row.body) as Pick<Body, 'nodeId' | 'registeredAt' | 'cause'> & Partial<Body>
  return {
    ...usual,
    ...body,
    id: invocationId(row.id),
    runId: runId(row.run_id),
    taskKind: row.task_kind,
    status: row.status,
    version: row.version,
    priority: priorities[row.rank] ?? 'NORMAL',
    pool: row.pool,
    lease: leaseOf(row),
    fence: fenceOf(row),
    deadlineAt: row.deadline_at,
    cancelRequestedAt: row.cancel_requested_at,
  }
}

export function fenceOf(row: HeadRow): Fence | null {
  const { fence_epoch: epoch, fence_counter: counter } = row
  return epoch === null || counter === null ? null : { epoch, counter }
}

export function leaseOf(row: HeadRow): Lease | null {
  const fence = fenceOf(row)
  const { owner, lease_expires_at: expiresAt } = row
  return owner === null || expiresAt === null || fence === null
    ? null
    : { runnerId: runnerId(owner), fence, expiresAt }
}

/** Where SQL looks for an invocation of this status. */
export const queueByStatus: Readonly<Record<InvocationStatus, number>> = Object.fromEntries(
  invocationMachine.statuses.map((status) => [status, queueOfStatus(status)]),
) as Record<InvocationStatus, number>

function queueOfStatus(status: InvocationStatus): number {
  if (invocationMachine.available.has(status)) return queueOf.available
  if (invocationMachine.owned.has(status)) return queueOf.owned
  if (invocationMachine.final.has(status)) return queueOf.final
  return status === 'WAITING' ? queueOf.waiting : queueOf.idle
}

/** When a claim (available) or a timer (waiting) has news of it; null when neither ever has. */
export const instantOf = (record: InvocationRecord): number | null =>
  invocationMachine.available.has(record.status) ? availableAt(record) : record.notBefore

export function phaseOfStatus(status: RunStatus): number {
  if (runMachine.final.has(status)) return phaseOf.final
  return claimableRun(status) ? phaseOf.claimable : phaseOf.paused
}

/** The stored text of a run: all of it but what changes with every step. */
export function encodeRun(record: RunRecord): string {
  const { id: _id, status: _status, version: _version, deadlineAt: _deadlineAt, ...body } = record
  return JSON.stringify(body)
}

export function decodeRun(row: RunRow): RunRecord {
  // The text was written by `encodeRun`.
  const body = JSON.parse(row.body) as Omit<RunRecord, 'id' | 'status' | 'version' | 'deadlineAt'>
  return { ...body, id: runId(row.id), status: row.status, version: row.version, deadlineAt: row.deadline_at }
}
