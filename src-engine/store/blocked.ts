/** Who waits for which permit, and in which order; and who waits for a signal. */

import type { InvocationRecord, PermitPlan, Priority } from '../model/invocation.ts'
import { priorityRank } from '../model/invocation.ts'
import type { RunRecord } from '../model/run.ts'
import type { Instant } from '../model/time.ts'

/** The key of the permit that an invocation waits for; null when it waits for none. */
export const blockedKeyOf = (record: InvocationRecord): string | null =>
  record.status === 'CONCURRENCY_CONTROLLED' ? (record.permits?.blockedBy ?? null) : null

/** The key of the permit that a run waits for before it starts; null when it waits for none. */
export const blockedKeyOfRun = (run: RunRecord): string | null =>
  run.status === 'CREATED' ? (run.permits?.blockedBy ?? null) : null

/** The name of the signal that an invocation waits for; null when it waits for none. */
export const awaitedSignalOf = ({ status, wait }: InvocationRecord): string | null =>
  wait?.kind === 'signal' && status === 'WAITING' ? wait.name : null

interface Blocked {
  readonly id: string
  readonly priority: Priority
  readonly permits: PermitPlan | null
}

/** Its place in line is since when it waits. */
export const blockedSince = (record: Pick<Blocked, 'permits'>): Instant => record.permits?.blockedSince ?? 0

/** Negative when `a` is to have a permit before `b`: more urgent, then longer waiting, then by id. */
export const compareBlocked = (a: Blocked, b: Blocked): number =>
  priorityRank[a.priority] - priorityRank[b.priority] ||
  blockedSince(a) - blockedSince(b) ||
  (a.id < b.id ? -1 : 1)
