/** Setting aside what may not begin for now, and putting it back as it was. */

import type { Dispatch, InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Draft } from '../draft.ts'
import { touchInvocation } from '../draft.ts'
import { bindsRun } from '../effects.ts'

/** Later than any timer may be set: nobody claims or wakes what has this instant before it. */
const heldUntil: Instant = 8_640_000_000_000_000

const noDispatch: Dispatch = {
  firstClaimedAt: null,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
}

/** The record's dispatch with some fields changed. */
export const dispatchWith = (
  record: Pick<InvocationRecord, 'dispatch'>,
  set: Partial<Dispatch>,
): Dispatch => ({
  ...(record.dispatch ?? noDispatch),
  ...set,
})

/** Whether a pause has set it aside. */
export const isHeld = (record: InvocationRecord): boolean => record.notBefore === heldUntil

/** Whether somebody asked to pause this very step. */
export const isPauseAsked = (record: InvocationRecord): boolean =>
  record.dispatch !== null && record.dispatch.pauseRequestedAt !== null

/**
 * Queued work, and work that waits for an instant or a run, or for a permit until an instant, is set aside. What has an owner can't be; a paused
 * run has no need to set aside what waits for other things, but a step that is paused itself stands still.
 */
const canBeHeld = (record: InvocationRecord, askedAt: Instant | null): boolean =>
  invocationMachine.available.has(record.status) ||
  (record.status === 'CONCURRENCY_CONTROLLED' && record.notBefore !== null) ||
  (record.status === 'WAITING' &&
    (askedAt !== null ||
      record.wait?.kind === 'run' ||
      (record.notBefore !== null && record.wait?.kind !== 'reuse'))) ||
  (record.wait?.kind === 'approval' && (askedAt !== null || record.notBefore !== null))

/**
 * Sets queued or waiting work aside; its own instant and reason are kept for later. `askedAt` is when somebody
 * asked to pause this very step, or the map or loop that it is part of; null for a pause of the whole run.
 */
export function hold(draft: Draft, record: InvocationRecord, askedAt: Instant | null): void {
  if (isHeld(record)) {
    if (askedAt !== null && !isPauseAsked(record)) ask(draft, record, askedAt)
    return
  }
  if (!canBeHeld(record, askedAt)) return
  const { notBefore, waitReason } = record
  touchInvocation(draft, record.id, {
    notBefore: heldUntil,
    waitReason: { code: 'paused', message: 'Paused: it goes on when somebody resumes it.' },
    dispatch: dispatchWith(record, {
      // Standing still is nobody's delay: the dispatch timeout counts anew from the next claim.
      firstClaimedAt: null,
      pauseRequestedAt: askedAt,
      held: { notBefore, waitReason, remainingMs: null },
    }),
  })
  bindsRun(draft, record)
}

/** Notes the wish; what has no owner and isn't available stands still by itself. */
export function ask(draft: Draft, record: InvocationRecord, askedAt: Instant): void {
  touchInvocation(draft, record.id, { dispatch: dispatchWith(record, { pauseRequestedAt: askedAt }) })
}

/** Puts back what was set aside. */
export function letGo(draft: Draft, record: InvocationRecord): void {
  if (!isHeld(record)) return
  const held = record.dispatch?.held ?? null
  touchInvocation(draft, record.id, {
    notBefore: held?.notBefore ?? null,
    waitReason: held?.waitReason ?? null,
    dispatch: dispatchWith(record, { pauseRequestedAt: null, held: null }),
  })
  bindsRun(draft, record)
}

/** What is left of the attempt's time; null when it has no bound. */
export const remainingMs = (record: InvocationRecord, now: Instant): Millis | null =>
  record.deadlineAt === null ? null : Math.max(0, record.deadlineAt - now)
