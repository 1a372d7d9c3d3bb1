/** What a card says about its node's run: one style, one reason, one clock. Pure. */

import type { AttemptOutcome } from '../../src-engine/model/attempt.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { passedOverBy } from '../../src-engine/model/passed-over.ts'
import { errorPort } from '../../src-engine/model/workflow.ts'
import type { RewindMark } from '../state/rewind.ts'
import type { NodeRun } from '../state/run-model.ts'
import type { StatusStyle } from '../status/status-style.ts'
import {
  backoffStyle,
  cachedStyle,
  heldStyle,
  invocationStyle,
  pausingStyle,
  skippedStyle,
  stoppedStyle,
  stoppingStyle,
  undoStyle,
} from '../status/status-style.ts'
import { isHeld, isPauseAsked, isStoppedAt, waitWords } from '../status/wait-words.ts'
import { beganAt, isBodyUnderWay, isContainer } from './loop-times.ts'
import type { UndoLook } from './undo-look.ts'
import { undoLookOf, undoPhaseOf } from './undo-look.ts'
import type { Verdict } from './verdict.ts'
import { verdictOf } from './verdict.ts'

export interface NodeLook {
  readonly style: StatusStyle
  /** Why it waits or failed, in one line; null when the word says it all. */
  readonly reason: string | null
  /** Who has a say about it, and what was said; null while nobody had to. */
  readonly verdict: Verdict | null
  /** What the clock on the card shows. */
  readonly clock:
    | { readonly kind: 'none' }
    | { readonly kind: 'took'; readonly ms: number }
    | { readonly kind: 'since'; readonly at: number }
    | { readonly kind: 'until'; readonly at: number; readonly from: number }
  /** `3 of 10` inside of a map or loop; null outside. */
  readonly turns: string | null
  /** One pip per attempt, in order. */
  readonly pips: readonly ('failed' | 'done' | 'active' | 'lost')[]
}

/** The look of a node in the shown run, as far as its rollback is shown. */
export function lookOf(run: NodeRun, mark: RewindMark = 'none'): NodeLook {
  const { invocation } = run
  if (invocation === null) return { ...plainLook, style: skippedStyle }
  if (mark === 'next' && run.undo !== null) return { ...plainLook, style: undoStyle.active }
  const undone = mark === 'ahead' || mark === 'next' ? null : undoLookOf(run.undo)
  if (undone !== null) return takenBack(undone)
  return {
    style: styleOf(invocation),
    reason: reasonOf(invocation),
    verdict: verdictOf(invocation),
    clock: clockOf(invocation, beganAt(invocation, run.attempts)),
    turns: run.turns === null ? null : `${run.turns.done} of ${run.turns.total}`,
    pips: pipsOf(run, invocation),
  }
}

/** Its step is being undone, or was: the card tells of that. */
function takenBack({ style, reason, startedAt, finishedAt }: UndoLook): NodeLook {
  const isActive = startedAt !== null && finishedAt === null
  const clock: NodeLook['clock'] = isActive ? { kind: 'since', at: startedAt } : { kind: 'none' }
  return { ...plainLook, style, reason, clock }
}

const plainLook = { reason: null, verdict: null, clock: { kind: 'none' }, turns: null, pips: [] } as const

/** A step whose effect stays though its run was taken back. */
export const leftBehind = (why: string): NodeLook => ({
  ...plainLook,
  style: undoStyle.left,
  verdict: { who: null, why },
})

/** On a card there is room for a few words; the inspector tells the rest. */
function reasonOf(invocation: InvocationRecord): string | null {
  const said = verdictOf(invocation)
  if (said !== null) return said.who ?? said.why
  if (invocation.status === 'APPROVAL_REQUIRED') return 'cut off while it ran'
  const condition = passedOverBy(invocation)
  if (condition !== null) return condition
  if (invocation.dispatch?.stopped !== undefined)
    return `Ended the run: ${invocation.dispatch.stopped.condition}`
  // The banner says why; the word on the card is enough.
  if (isStoppedAt(invocation)) return null
  const words = waitWords(invocation)
  // Of an earlier attempt, the error tells less than what it waits for now.
  return isHeld(invocation) ? words : (invocation.error?.message ?? words)
}

function styleOf(invocation: InvocationRecord): StatusStyle {
  const { status } = invocation
  if (isStoppedAt(invocation)) return stoppedStyle
  if (isHeld(invocation)) return heldStyle
  if (status === 'RUNNING' && isPauseAsked(invocation)) return pausingStyle
  if (status === 'RUNNING' && invocation.cancelRequestedAt !== null) return stoppingStyle
  // Its body is under way: it is at work, whatever its record waits for.
  if (isBodyUnderWay(invocation)) return invocationStyle.RUNNING
  if (status === 'RETRY' && invocation.notBefore !== null) return backoffStyle
  if (passedOverBy(invocation) !== null) return skippedStyle
  if (status === 'CANCELLED' && invocation.cause.kind === 'skipped') return skippedStyle
  if (status === 'SUCCESS' && invocation.dispatch?.reused !== undefined) return cachedStyle
  return invocationStyle[status]
}

function clockOf(invocation: InvocationRecord, startedAt: number | null): NodeLook['clock'] {
  const { status, finishedAt, notBefore, registeredAt } = invocation
  if (finishedAt !== null) {
    return startedAt === null ? { kind: 'none' } : { kind: 'took', ms: Math.max(0, finishedAt - startedAt) }
  }
  // What is set aside has no instant of its own until it is resumed.
  if (isHeld(invocation)) return { kind: 'none' }
  if ((status === 'RETRY' || status === 'WAITING') && notBefore !== null) {
    return { kind: 'until', at: notBefore, from: startedAt ?? registeredAt }
  }
  // How long it has been kept from its work.
  if (status === 'CONCURRENCY_CONTROLLED') {
    return { kind: 'since', at: invocation.permits?.blockedSince ?? registeredAt }
  }
  if (status === 'WAITING' && invocation.wait?.kind === 'signal' && startedAt !== null) {
    return { kind: 'since', at: startedAt }
  }
  if (invocation.waitReason !== null && (status === 'REGISTERED' || status === 'REROUTED')) {
    return { kind: 'since', at: registeredAt }
  }
  // While its body is under way, a map or loop waits: its time goes on all the same.
  const isAtWork = status === 'RUNNING' || status === 'RESUMED' || isContainer(invocation)
  if (isAtWork && startedAt !== null) return { kind: 'since', at: startedAt }
  return { kind: 'none' }
}

/** Attempts in which nothing was tried. */
const withoutTry: ReadonlySet<AttemptOutcome> = new Set(['parked', 'skipped', 'reused'])

function pipsOf(run: NodeRun, invocation: InvocationRecord): NodeLook['pips'] {
  const pips: NodeLook['pips'][number][] = run.attempts
    .filter(({ outcome }) => !withoutTry.has(outcome))
    .map(({ outcome }) =>
      outcome === 'succeeded' ? 'done' : outcome === 'lost' || outcome === 'handed-back' ? 'lost' : 'failed',
    )
  if (invocation.status === 'RUNNING' || invocation.status === 'RESUMED') pips.push('active')
  return pips
}

/** How an edge is drawn in the shown run. */
export type EdgeInk = 'none' | 'taken' | 'dimmed' | 'failed' | 'undone'

/** Whether a run went along an edge that leaves this node by that port, as far as its rollback is shown. */
export function inkOf(run: NodeRun | null, port: string, mark: RewindMark = 'none'): EdgeInk {
  if (run === null) return 'none'
  const { invocation } = run
  if (invocation === null) return 'dimmed'
  if (invocation.finishedAt === null) return 'none'
  if (!leavesBy(invocation, port)) return 'dimmed'
  // What led on from a step is taken back with it, and from every step that was passed on the way back.
  const isUndone = mark === 'none' && run.undo !== null && undoPhaseOf(run.undo) === 'done'
  if (isUndone || mark === 'passed') return 'undone'
  return port === errorPort ? 'failed' : 'taken'
}

/** A success without named ports leaves by all of them but the error port. */
function leavesBy({ status, ports }: InvocationRecord, port: string): boolean {
  if (ports !== null) return ports.includes(port)
  return status === 'SUCCESS' && port !== errorPort
}
