/**
 * Compensations of one step: the recorded one, and one more each time that somebody deals with a failed one.
 * The newest one tells where the step stands.
 */

import type { InvocationId } from '../../model/ids.ts'
import { invocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant } from '../../model/time.ts'
import { isRecorded, undoesOf } from '../run-state.ts'

/** Where a compensation stands with its rollback. */
export type UndoStanding =
  | 'recorded'
  /** Under way, or about to be. */
  | 'open'
  | 'done'
  /** Nobody has dealt with it yet. */
  | 'failed'
  /** Its step stands as it was left, and the rollback goes on. */
  | 'left'

/** Kinds of causes of a compensation that isn't executed and leaves its step as it is. */
export const skipCause = 'skipped'
export const abandonCause = 'abandoned'

const leavingCauses: ReadonlySet<string> = new Set([skipCause, abandonCause])

/** The error of what means nothing to the version that the run is bound to. */
export const undecodable = 'saga_unmarshal_failed'

/** Where one compensation stands by itself. */
export function standingOf(record: InvocationRecord): UndoStanding {
  const { status, cause, error } = record
  if (isRecorded(record)) return 'recorded'
  if (!invocationMachine.final.has(status)) return 'open'
  if (status === 'SUCCESS' || status === 'OUTPUT_QUARANTINED') return 'done'
  if (status === 'DENIED' || error?.code === undecodable) return 'left'
  return status === 'CANCELLED' && leavingCauses.has(cause.kind) ? 'left' : 'failed'
}

const number = /~undo(\d*)$/

/** Its place in the chain of its step, from 1. */
export function chainNumberOf(id: InvocationId): number {
  const digits = number.exec(id)?.[1]
  return digits === undefined || digits === '' ? 1 : Number(digits)
}

/** The step that a compensation is of, as its id tells. */
export const stepOfUndo = (id: InvocationId): InvocationId => invocationId(id.replace(number, ''))

/** The compensation of the same step that comes after this one. */
export const nextInChain = (id: InvocationId): InvocationId =>
  invocationId(`${stepOfUndo(id)}~undo${chainNumberOf(id) + 1}`)

/** When the rollback began that these are part of; `now` for one that begins. */
export function rollbackBegan(records: Iterable<InvocationRecord>, now: Instant): Instant {
  let began = now
  for (const { dispatch } of records) {
    const at = dispatch?.undoes?.begunAt
    if (at !== undefined && at < began) began = at
  }
  return began
}

/** The newest compensation of each step, in no order. */
export function newestUndos(records: Iterable<InvocationRecord>): readonly InvocationRecord[] {
  const newest = new Map<InvocationId, InvocationRecord>()
  for (const record of records) {
    if (record.role === 'forward') continue
    const of = undoesOf(record)?.of
    if (of === undefined) continue
    const known = newest.get(of)
    if (known === undefined || chainNumberOf(known.id) < chainNumberOf(record.id)) newest.set(of, record)
  }
  return [...newest.values()]
}
