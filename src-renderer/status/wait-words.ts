/** Why something isn't going on, in one line a person can act on. Pure. */

import type { InvocationRecord, Wait, WaitReason } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { fill } from '../text/messages.ts'
import { waits } from '../text/waits.ts'
import { momentWords } from '../ui/time-words.ts'

/** Why a step isn't running; null when nothing holds it up, or nothing is known. */
export function waitWords(record: InvocationRecord): string | null {
  if (record.finishedAt !== null) return null
  if (isPauseAsked(record) && record.lease !== null && record.status !== 'PAUSED') return waits.pauseAsked
  // The word beside it says that it is paused.
  if (isHeld(record))
    return isStop(record.waitReason) ? withClocks(record.waitReason?.message ?? '') : waits.held
  if (record.waitReason !== null) return withClocks(record.waitReason.message)
  if (record.wait !== null) return wordsOfWait(record.wait)
  const key = record.permits?.blockedBy ?? null
  return key === null ? null : fill(waits.permit, { key })
}

/** The engine writes instants for every reader; a person looks at a clock. */
export const withClocks = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => momentWords(Date.parse(instant)))

function wordsOfWait(wait: Wait): string {
  switch (wait.kind) {
    case 'signal': {
      const { name, correlation, calls, count } = wait
      if (calls !== undefined) return calls === 1 ? waits.call : fill(waits.calls, { count: calls })
      if (count !== undefined) return fill(waits.signals, { name, count })
      return correlation === null
        ? fill(waits.signal, { name })
        : fill(waits.signalFor, { name, correlation })
    }
    case 'items':
      return fill(waits.items, { count: wait.count })
    case 'turn':
      if (wait.left !== undefined) return fill(waits.leftTurn, { turn: wait.iteration + 1 })
      return fill(wait.opensAt === undefined ? waits.turn : waits.beforeTurn, { turn: wait.iteration + 1 })
    case 'join':
      return waits.join
    case 'run':
      return waits.run
    case 'reuse':
      return waits.reuse
    case 'approval':
      return waits.approval
    default:
      return waits.rollback
  }
}

/** Why a run doesn't go on or hasn't started; null while it does. */
export function runWaitWords(run: RunRecord): string | null {
  if (run.finishedAt !== null) return null
  const phase = pauseOf(run)
  if (phase !== 'none' && isStop(run.waitReason)) return run.waitReason?.message ?? null
  if (phase === 'asked') return waits.runPauseAsked
  if (phase === 'paused') return waits.runPaused
  if (run.waitReason !== null) return run.waitReason.message
  const key = run.permits?.blockedBy ?? null
  return key === null ? null : fill(waits.permit, { key })
}

/** Whether it hasn't begun because a limit is reached. */
export const isInLine = ({ status, permits }: RunRecord): boolean =>
  status === 'CREATED' && (permits?.blockedBy ?? null) !== null

/** `asked`: steps that were under way still end, or still have to stand still. */
export type PausePhase = 'none' | 'asked' | 'paused'

/** How far a pause of the run has come. */
export function pauseOf(run: RunRecord): PausePhase {
  if (run.finishedAt !== null) return 'none'
  if (run.status === 'PAUSED') return 'paused'
  return run.pauseRequestedAt === null ? 'none' : 'asked'
}

/** Whether somebody asked to pause this very step. */
export const isPauseAsked = (record: InvocationRecord): boolean =>
  record.dispatch !== null && record.dispatch.pauseRequestedAt !== null

/** Whether a pause set it aside: it is queued or waits, and nobody claims it. */
export const isHeld = (record: InvocationRecord): boolean =>
  record.finishedAt === null && (record.waitReason?.code === 'paused' || isStop(record.waitReason))

const isStop = (reason: WaitReason | null): boolean => reason?.code === 'breakpoint'

/** Whether it is one before which its run stands. */
export const isStoppedAt = (record: InvocationRecord): boolean =>
  record.finishedAt === null && isStop(record.waitReason)

/** Whether the run stands still, be it because of a breakpoint or because somebody paused it. */
export const isStandingStill = (run: RunRecord): boolean => run.finishedAt === null && run.status === 'PAUSED'

/** What can be asked of a step of a run that is under way. */
export type StepAction = 'pause' | 'resume' | 'skip'

/** In the order of their buttons; none once the step has ended. */
export function stepActionsOf(record: InvocationRecord, run: RunRecord): readonly StepAction[] {
  if (record.finishedAt !== null || run.finishedAt !== null || run.cancelRequestedAt !== null) return []
  if (record.cancelRequestedAt !== null || record.status === 'APPROVAL_REQUIRED') return []
  const isStopped = isHeld(record) || record.status === 'PAUSED' || isPauseAsked(record)
  // What the pause of the whole run set aside goes on with the run.
  if (isStopped && !isPauseAsked(record) && run.pauseRequestedAt !== null) return ['skip']
  return [isStopped ? 'resume' : 'pause', 'skip']
}
