/** Runs to rows and back, and where SQL looks for an invocation. */

import type { RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { NewRun } from '../../model/new-records.ts'
import { newRun } from '../../model/new-records.ts'
import { packRun } from '../../model/plain-records.ts'
import { unpackRun } from '../../model/record-codec.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Packed } from '../../model/value-codec.ts'
import { newContext } from '../../model/value-codec.ts'
import { blockedKeyOfRun, blockedSince } from '../blocked.ts'
import { availableAt, claimableRun } from '../claim.ts'
import { lineEndsAt, waitsForInstant } from '../due.ts'
import type { Names } from './names.ts'
import { phaseOf, queueOf } from './schema.ts'

export interface RunRow {
  readonly key: number
  readonly id: string
  /** The key of its name. */
  readonly status: number
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

/** When a claim (available) or a timer (waiting, parked) has news of it, or its place in line (blocked); else null. */
export function instantOf(record: InvocationRecord): number | null {
  if (invocationMachine.available.has(record.status)) return availableAt(record)
  if (record.status === 'CONCURRENCY_CONTROLLED') return blockedSince(record)
  return waitsForInstant(record) ? record.notBefore : null
}

/** When its attempt (owned) or its standing in line (blocked) has to end; else null. */
export const deadlineOf = (record: InvocationRecord): number | null => record.deadlineAt ?? lineEndsAt(record)

export function phaseOfStatus(status: RunStatus): number {
  if (runMachine.final.has(status)) return phaseOf.final
  return claimableRun(status) ? phaseOf.claimable : phaseOf.paused
}

/** What a run waits for before it starts, and its place in that line; nulls for nearly all. */
export function lineOfRun(record: RunRecord): readonly [string | null, number | null, number | null] {
  const key = blockedKeyOfRun(record)
  return key === null ? noLine : [key, priorityRank[record.priority], blockedSince(record)]
}

const noLine = [null, null, null] as const

/**
 * The stored text of a run: when it was made, and its packed record relative to that. What columns and events
 * tell too is told by these.
 */
export function encodeRun(record: RunRecord, names: Names): string {
  const { id, createdAt, workflowId, workflowTitle, definitionHash } = record
  const out: Packed[] = [createdAt]
  packRun(record, { context: contextOf(id, createdAt), out })
  return names.shorten(JSON.stringify(out), [workflowId, workflowTitle, definitionHash])
}

const contextOf = (id: RunId, at: number) =>
  newContext({ at, epoch: 0, runId: id }, { actorId: null, short: true })

/** The run of a row. */
export function decodeRun(row: RunRow, names: Names): RunRecord {
  const { deadline_at: deadlineAt, version } = row
  // The writer named it.
  const status = names.textOf(row.status) as RunStatus
  return { ...decodeRunText(row, names), status, version, deadlineAt }
}

/** What the text of a run says; columns know better what they tell too. Before form 6 it was an object. */
export function decodeRunText(row: Pick<RunRow, 'id' | 'body'>, names: Names): RunRecord {
  const id = runId(row.id)
  // The text was written by `encodeRun`.
  const body = JSON.parse(names.lengthen(row.body)) as readonly [number, ...Packed[]] | NewRun
  return isPacked(body) ? unpackRun(body, contextOf(id, body[0]), 1) : newRun({ ...body, id })
}

const isPacked = (body: unknown): body is readonly [number, ...Packed[]] => Array.isArray(body)
