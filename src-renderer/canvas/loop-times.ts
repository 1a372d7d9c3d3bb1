/** How long a map or loop takes as a whole, and its last turn. Pure. */

import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import { isContainerKind } from '../../src-engine/model/containers.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'

/** Whether its body is what takes the time. */
export const isContainer = ({ taskKind }: InvocationRecord): boolean => isContainerKind(taskKind)

/** Whether its items, turns or steps are at work now: its own record only waits for them. */
export const isBodyUnderWay = ({ status, wait }: InvocationRecord): boolean =>
  status === 'WAITING' && (wait?.kind === 'items' || (wait?.kind === 'turn' && wait.opensAt === undefined))

/** When it began: a loop asks its condition anew each turn, and each time is an attempt. Null before. */
export function beganAt(invocation: InvocationRecord, attempts: readonly AttemptRecord[]): number | null {
  const { startedAt } = invocation
  if (startedAt === null || invocation.taskKind !== 'loop') return startedAt
  return attempts.reduce((first, attempt) => Math.min(first, attempt.startedAt), startedAt)
}

/** How long the last turn of a loop took, from one look at its condition to the next; null before the second. */
export function lastTurnMs(invocation: InvocationRecord, attempts: readonly AttemptRecord[]): number | null {
  if (invocation.taskKind !== 'loop' || invocation.startedAt === null) return null
  const starts = new Set([...attempts.map(({ startedAt }) => startedAt), invocation.startedAt])
  const [last, before] = [...starts].toSorted((left, right) => right - left)
  return last === undefined || before === undefined ? null : last - before
}
