/**
 * Permits that are held over a body: from the claim of the step around it until nothing inside is at work any
 * more. That may be after the step itself has ended: who is cancelled with steps that are asked to stop, and
 * haven't yet, must let nobody else in.
 */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunState } from '../run-state.ts'
import { countInside, forwardId, insideKey, isActive } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import type { PermitWrites } from './held-permits.ts'
import { isInsidePermit } from './node-permits.ts'

/** A run before a decision, and the records that this one changes. */
export interface InsideChange {
  readonly state: Pick<RunState, 'run' | 'kept' | 'workflow' | 'invocations' | 'insideCounts'>
  readonly records: readonly InvocationRecord[]
}

/** Adds what the change of a run's records means for the permits that are held over bodies. */
export function addInsideWrites(writes: PermitWrites, change: InsideChange): void {
  const ids = holdersTouched(change)
  if (ids.size === 0) return
  const { invocations, insideCounts } = change.state
  const after = new Map(change.records.map((record) => [record.id, record]))
  const more = insideChanges(change)
  for (const id of ids) {
    const record = after.get(id) ?? invocations.get(id)
    if (record === undefined) continue
    const before = invocations.get(id)
    const key = insideKey(record)
    const inside = insideCounts.get(key) ?? 0
    const held = before !== undefined && holds(before, inside) ? keysOf(before) : []
    const kept = holds(record, inside + (more.get(key) ?? 0)) ? (record.permits?.permits ?? []) : []
    for (const { key: own } of held) {
      if (!kept.some((other) => other.key === own)) writes.release.push({ key: own, holder: id })
    }
    for (const { key: own, limit } of kept) {
      if (!isInsidePermit(own) || held.some((other) => other.key === own)) continue
      writes.take.push({ key: own, holder: id, limit, expiresAt: null })
    }
  }
}

/** By how many the change makes more, or fewer, of those inside. */
function insideChanges({ state, records }: InsideChange): ReadonlyMap<string, number> {
  const changes = new Map<string, number>()
  for (const record of records) {
    if (record.path === '' || record.role !== 'forward') continue
    const before = state.invocations.get(record.id)
    const active = (isActive(record) ? 1 : 0) - (before !== undefined && isActive(before) ? 1 : 0)
    if (active !== 0) countInside(changes, record, active)
  }
  return changes
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

/** `inside`: how many inside of it aren't final. */
function holds(record: InvocationRecord, inside: number): boolean {
  const { status, wait } = record
  if (invocationMachine.owned.has(status) || (status === 'WAITING' && wait?.kind === 'turn')) return true
  return record.startedAt !== null && inside > 0 && keysOf(record).length > 0
}
