/** Which instants of a record a store watches: the definition that every index of due things serves. */

import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import type { DueAnswer, DueItem } from './store.ts'

/** The instants of an invocation that `listDue` reports. */
export function dueOfInvocation(record: InvocationRecord): readonly DueItem[] {
  const { runId, id: invocationId } = record
  if (record.status === 'WAITING' && record.notBefore !== null) {
    return [{ kind: 'wake', runId, invocationId, dueAt: record.notBefore }]
  }
  if (invocationMachine.owned.has(record.status) && record.deadlineAt !== null) {
    return [{ kind: 'deadline', runId, invocationId, dueAt: record.deadlineAt }]
  }
  return []
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

/** The first `limit` due items, and when there is news: at once while some are left over. */
export function dueAnswer(sorted: readonly DueItem[], limit: number, nextAt: Instant | null): DueAnswer {
  const leftOver = sorted[limit]
  return { due: sorted.slice(0, limit), nextAt: leftOver === undefined ? nextAt : leftOver.dueAt }
}
