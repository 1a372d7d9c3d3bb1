/** The audit row of one run of the chores, or of one that was not allowed to begin. */

import type { RunnerId } from '../../model/ids.ts'
import { runnerId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'

export const executionStatuses = ['RUNNING', 'COMPLETED', 'ABANDONED', 'BLOCKED'] as const

export type ExecutionStatus = (typeof executionStatuses)[number]

/** `slot` starts are elected; the others begin at once, whoever's slot it is. */
export const startKinds = ['slot', 'due', 'event', 'lost-lease'] as const

export type StartKind = (typeof startKinds)[number]

export interface ExecutionRecord {
  readonly id: string
  readonly runnerId: RunnerId
  readonly kind: StartKind
  readonly status: ExecutionStatus
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  /** The slot that elected it; null outside of slots. */
  readonly slotStart: Instant | null
  readonly slotEnd: Instant | null
  /** Why it was blocked or abandoned; null when it wasn't. */
  readonly reason: string | null
}

const prefix = 'atomic-service/execution/'
const timeDigits = 15

/** All audit rows, oldest first. */
export const executionPrefix = prefix

/** Sorts by start, so that a page of rows is a page of time. */
export function executionKey(record: Pick<ExecutionRecord, 'id' | 'startedAt'>): string {
  return `${prefix}${String(Math.floor(record.startedAt)).padStart(timeDigits, '0')}/${record.id}`
}

/** The row as it is stored. */
export const executionValue = (record: ExecutionRecord): JsonValue => ({ ...record })

/** Null for a value that is no audit row. */
export function readExecution(value: JsonValue): ExecutionRecord | null {
  if (!isJsonObject(value)) return null
  const { id, runnerId: owner, startedAt, endedAt, slotStart, slotEnd, reason } = value
  const status = executionStatuses.find((known) => known === value['status'])
  const kind = startKinds.find((known) => known === value['kind'])
  if (typeof id !== 'string' || typeof owner !== 'string' || typeof startedAt !== 'number') return null
  if (status === undefined || kind === undefined) return null
  const instant = (given: JsonValue | undefined): Instant | null => (typeof given === 'number' ? given : null)
  return {
    id,
    runnerId: runnerId(owner),
    kind,
    status,
    startedAt,
    endedAt: instant(endedAt),
    slotStart: instant(slotStart),
    slotEnd: instant(slotEnd),
    reason: typeof reason === 'string' ? reason : null,
  }
}
