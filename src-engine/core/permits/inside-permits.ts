/**
 * Permits that are held over a body: from the claim of the step around it until nothing inside is at work any
 * more. That may be after the step itself has ended: who is cancelled with steps that are asked to stop, and
 * haven't yet, must let nobody else in.
 */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunState } from '../run-state.ts'
import { forwardId, isActive } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import type { PermitWrites } from './held-permits.ts'
import { isInsidePermit } from './node-permits.ts'

/** A run before a decision, and the records that this one changes. */
export interface InsideChange {
  readonly state: Pick<RunState, 'run' | 'kept' | 'workflow' | 'invocations'>
  readonly records: readonly InvocationRecord[]
}

/** Adds what the change of a run's records means for the permits that are held over bodies. */
export function addInsideWrites(writes: PermitWrites, change: InsideChange): void {
  const { invocations } = change.state
  const after = new Map(change.records.map((record) => [record.id, record]))
  for (const id of holdersTouched(change)) {
    const record = after.get(id) ?? invocations.get(id)
    if (record === undefined) continue
    const before = invocations.get(id)
    const held = before !== undefined && holds(before, invocations.values()) ? keysOf(before) : []
    const kept = holds(record, everyRecord(invocations, after)) ? (record.permits?.permits ?? []) : []
    for (const { key } of held) {
      if (!kept.some((other) => other.key === key)) writes.release.push({ key, holder: id })
    }
    for (const { key, limit } of kept) {
      if (!isInsidePermit(key) || held.some((other) => other.key === key)) continue
      writes.take.push({ key, holder: id, limit, expiresAt: null })
    }
  }
}

const keysOf = ({ permits }: InvocationRecord): readonly { readonly key: string }[] =>
  (permits?.permits ?? []).filter(({ key }) => isInsidePermit(key))

/** Those that changed themselves, and those around what began or ended. */
function holdersTouched({ state, records }: InsideChange): ReadonlySet<InvocationId> {
  const touched = new Set<InvocationId>()
  for (const record of records) {
    if (keysOf(record).length > 0) touched.add(record.id)
    if (record.path === '' || record.role !== 'forward' || isActive(record)) continue
    let path = record.path
    let container = state.workflow.nodeById.get(record.nodeId)?.container ?? null
    for (; container !== null && path !== ''; container = container.container) {
      path = placeOf(path).parent
      if (container.permits !== null) touched.add(forwardId(state, container.id, path))
    }
  }
  return touched
}

function holds(record: InvocationRecord, all: Iterable<InvocationRecord>): boolean {
  const { status, wait } = record
  if (invocationMachine.owned.has(status) || (status === 'WAITING' && wait?.kind === 'turn')) return true
  if (record.startedAt === null || keysOf(record).length === 0) return false
  const own = `${record.path === '' ? '' : `${record.path}/`}${record.nodeId}:`
  for (const other of all) {
    const isInside = other.path.startsWith(own) && other.generation === record.generation
    if (isInside && other.role === 'forward' && isActive(other)) return true
  }
  return false
}

function* everyRecord(
  before: ReadonlyMap<InvocationId, InvocationRecord>,
  after: ReadonlyMap<InvocationId, InvocationRecord>,
): Iterable<InvocationRecord> {
  for (const record of before.values()) if (!after.has(record.id)) yield record
  yield* after.values()
}
