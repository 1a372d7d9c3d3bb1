/** Which instants of a record a store watches: the definition that every index of due things serves. */

import type { InvocationRecord } from '../model/invocation.ts'
import type { RunRecord } from '../model/run.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import type { DueAnswer, DueItem } from './store.ts'

/** Parked work whose not-before instant ends its wait, or makes it more urgent. */
export const waitsForInstant = ({ status }: InvocationRecord): boolean =>
  status === 'WAITING' || status === 'APPROVAL_REQUIRED'

/** When somebody who stands in line gives up, if it ever does; null for who stands in none. */
export const lineEndsAt = ({ status, notBefore }: InvocationRecord): Instant | null =>
  status === 'CONCURRENCY_CONTROLLED' ? notBefore : null

/** The instants of an invocation that `listDue` reports. The deadline of a step is its owner's matter, or its recovery's. */
export function dueOfInvocation(record: InvocationRecord): readonly DueItem[] {
  const { runId, id: invocationId } = record
  const dueAt = waitsForInstant(record) ? record.notBefore : lineEndsAt(record)
  return dueAt === null ? [] : [{ kind: 'wake', runId, invocationId, dueAt }]
}

/** The instants of a run that `listDue` reports. */
export function dueOfRun(run: RunRecord): readonly DueItem[] {
  if (runMachine.final.has(run.status) || run.deadlineAt === null) return []
  return [{ kind: 'run-deadline', runId: run.id, dueAt: run.deadlineAt }]
}

const idOf = (item: DueItem): string => (item.kind === 'run-deadline' ? item.runId : item.invocationId)

/** Earliest first; at the same instant by id. */
export const compareDue = (a: DueItem, b: DueItem): number =>
  a.dueAt - b.dueAt || (idOf(a) < idOf(b) ? -1 : 1)

/**
 * `limit` of the due items, earliest first, and when there is news: at once while some are left over. Where
 * not all have room each kind gets its share, so that a crowd of one keeps nothing of another waiting.
 */
export function dueAnswer(sorted: readonly DueItem[], limit: number, nextAt: Instant | null): DueAnswer {
  if (sorted.length <= limit) return { due: sorted, nextAt }
  const share = Math.max(1, Math.floor(limit / Object.keys(noneTaken).length))
  const takenByKind = { ...noneTaken }
  const taken = new Set<DueItem>()
  for (const item of sorted) {
    if (taken.size === limit) break
    if (takenByKind[item.kind] === share) continue
    takenByKind[item.kind] += 1
    taken.add(item)
  }
  // What a kind has no use for goes to the earliest of the others.
  for (const item of sorted) {
    if (taken.size === limit) break
    taken.add(item)
  }
  const leftOver = sorted.find((item) => !taken.has(item))
  return { due: sorted.filter((item) => taken.has(item)), nextAt: leftOver?.dueAt ?? nextAt }
}

const noneTaken: Readonly<Record<DueItem['kind'], number>> = { wake: 0, 'run-deadline': 0 }
