/** What a card shows of a step at work beside its state: its time limit, its last words, and whom it lost. Pure. */

import type { LogLine } from '../../../src-engine/model/attempt.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import type { NodeRun } from '../../state/run-model.ts'
import { isBodyUnderWay } from '../loop-times.ts'

/** Between which instants a try may take its time. */
export interface Limit {
  readonly from: number
  readonly to: number
}

export interface StepTold {
  /** The last line that it wrote, in its newest try; null for none. */
  readonly line: { readonly text: string; readonly isBad: boolean } | null
  /** The runner that it was lost with last, and who has it since; null where none was lost. */
  readonly lost: { readonly runnerId: string; readonly by: string | null; readonly number: number } | null
}

/**
 * Null while no try is under way, or nothing limits it. A box is at work while its steps are: what limits it then is the
 * time that it may take in all, or for which it may keep its place.
 */
export function limitOf({ invocation }: NodeRun): Limit | null {
  if (invocation === null) return null
  if (isBodyUnderWay(invocation)) {
    const { startedAt: from, notBefore: to } = invocation
    return from !== null && to !== null ? { from, to } : null
  }
  const { status, startedAt, deadlineAt } = invocation
  const isAtWork = status === 'RUNNING' || status === 'RESUMED'
  return isAtWork && startedAt !== null && deadlineAt !== null ? { from: startedAt, to: deadlineAt } : null
}

/** `live` are the lines that came while it runs. */
export function toldOf(run: NodeRun, live: readonly LogLine[] | null): StepTold {
  const { invocation, attempts } = run
  if (invocation === null) return { line: null, lost: null }
  return { line: lineOf(run, live), lost: lostOf(invocation.lease?.runnerId ?? null, attempts) }
}

function lineOf({ invocation, attempts }: NodeRun, live: readonly LogLine[] | null): StepTold['line'] {
  const isOver = invocation !== null && invocation.finishedAt !== null
  const kept = linesOf(attempts.at(-1)?.log ?? null)
  const last = (isOver ? kept.at(-1) : undefined) ?? live?.at(-1) ?? kept.at(-1)
  const text = last?.text.trim().split('\n').at(-1) ?? ''
  if (last === undefined || text === '') return null
  return { text, isBad: last.level === 'error' || last.stream === 'stderr' }
}

/** Small logs are in their record; large ones aren't fetched for a card. */
function linesOf(log: Payload | null): readonly LogLine[] {
  if (log === null || log.kind !== 'inline') return []
  const lines = JSON.parse(log.json) as readonly LogLine[] | null
  // Written by the engine as a list of lines.
  return Array.isArray(lines) ? lines : []
}

function lostOf(owner: string | null, attempts: NodeRun['attempts']): StepTold['lost'] {
  const at = attempts.findLastIndex(({ outcome }) => outcome === 'lost')
  const lost = attempts[at]
  if (lost === undefined) return null
  const next = attempts[at + 1]
  return { runnerId: lost.runnerId, by: next?.runnerId ?? owner, number: lost.number }
}

/** How much of a limit is used at an instant, from 0 to 1. */
export const usedOf = ({ from, to }: Limit, at: number): number =>
  to <= from ? 1 : Math.min(1, Math.max(0, (at - from) / (to - from)))

/** The end of an id is what tells runners apart. */
export const shortRunner = (id: string): string => id.replace(/^runner_/, '').slice(-6)

/**
 * How much of the time until an instant is left, from 0 to 1, and how long that is; null when it is over: thousands of tries that
 * are due at once need no movements that end at once.
 */
export function leftOf(
  { from, to }: Limit,
  at: number,
): { readonly share: number; readonly leftMs: number } | null {
  const leftMs = to - at
  return leftMs <= 0 ? null : { share: Math.min(1, leftMs / Math.max(leftMs, to - from)), leftMs }
}
