/**
 * Breakpoints: a run that comes to one stands still before the step, and lets work that is under way end. Steps
 * can then go on alone: whatever becomes ready after them stands still again.
 */

import type { Breakpoint } from '../../model/breakpoint.ts'
import { isSpent } from '../../model/breakpoint.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Draft } from '../draft.ts'
import { changeRun, moveInvocation, recordOf, touchInvocation } from '../draft.ts'
import { forwardId, isActive } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import { dispatchWith, hold, isHeld } from './hold.ts'

const breakpointCode = 'breakpoint'

/** The breakpoint that the step comes to; null where there is none, or the run stood before this step already. */
export function breakpointOf(
  run: RunRecord,
  record: Pick<InvocationRecord, 'nodeId' | 'role' | 'dispatch'>,
): Breakpoint | null {
  if (run.breakpoints.length === 0 || record.role !== 'forward') return null
  if (record.dispatch?.brokeAt !== undefined || record.dispatch?.wentBy === true) return null
  return run.breakpoints.find((point) => point.nodeId === record.nodeId && !isSpent(point)) ?? null
}

/** Whether this time is the one at which the breakpoint stops. */
export const isItsTime = ({ nth, passed = 0 }: Breakpoint): boolean => nth === undefined || passed + 1 >= nth

/** Notes that the run goes by a breakpoint which stops another time; no try of the step counts again. */
export function goBy(draft: Draft, record: InvocationRecord): void {
  changeRun(draft, { breakpoints: counted(draft.run, record) })
  touchInvocation(draft, record.id, { dispatch: dispatchWith(record, { wentBy: true }) })
}

const counted = ({ breakpoints }: RunRecord, { nodeId }: InvocationRecord): readonly Breakpoint[] =>
  breakpoints.map((point) =>
    point.nodeId === nodeId && point.nth !== undefined
      ? { ...point, passed: (point.passed ?? 0) + 1 }
      : point,
  )

/** Puts claimed work back, and has its run stand still before it. `why` says what is not right with the condition. */
export function breakBefore(draft: Draft, record: InvocationRecord, why: string | null): void {
  const at = breakpointOf(draft.run, record)
  const condition = at?.condition ?? null
  const held = condition === null ? 'A breakpoint is set there.' : `Its condition holds: ${condition}`
  const told = at?.nth === undefined ? held : `${held} This is time ${at.nth}.`
  const reason = `Stopped before “${record.nodeId}”. ${why ?? told}`
  hold(draft, moveInvocation(draft, record.id, { to: 'REROUTED' }), null)
  stand(draft, record.id, reason)
  const spent = at?.nth === undefined ? {} : { breakpoints: counted(draft.run, record) }
  changeRun(draft, { ...spent, pauseRequestedAt: draft.context.now, waitReason: reasonOf(reason) })
}

/** What became ready in a run that stands at a breakpoint: it is where the run stands now, and not stopped at again. */
export function standBeforeNext(draft: Draft, id: InvocationId): void {
  if (!isAtBreakpoint(draft.state.run) || draft.state.invocations.has(id)) return
  const record = recordOf(draft, id)
  if (record === undefined || !isHeld(record) || record.role !== 'forward') return
  const reason = `Stopped before “${record.nodeId}”, which comes next.`
  stand(draft, id, reason)
  changeRun(draft, { waitReason: reasonOf(reason) })
}

function stand(draft: Draft, id: InvocationId, message: string): void {
  const record = recordOf(draft, id)
  if (record === undefined) return
  const dispatch = dispatchWith(record, { brokeAt: draft.context.now })
  touchInvocation(draft, id, { dispatch, waitReason: reasonOf(message) })
}

/** Why the run, or a step of it, stands still. */
export const reasonOf = (message: string): WaitReason => ({ code: breakpointCode, message })

/** Whether the run stands still because of a breakpoint, or goes from step to step after one. */
export const isAtBreakpoint = ({ waitReason, pauseRequestedAt }: RunRecord): boolean =>
  pauseRequestedAt !== null && waitReason?.code === breakpointCode

/** The reason without what a breakpoint said: the run goes on. */
export const withoutBreakpoint = (reason: WaitReason | null): WaitReason | null =>
  reason?.code === breakpointCode ? null : reason

/** What changes of a run that is paused no more, for it comes to its end. */
export const pausedNoMore = ({ waitReason }: RunRecord): Partial<RunRecord> =>
  withoutBreakpoint(waitReason) === waitReason
    ? { pauseRequestedAt: null }
    : { pauseRequestedAt: null, waitReason: null }

/** Whether the step goes on in a run that stands still: somebody stepped over it, or over the map or loop around it. */
export function goesOn(draft: Draft, record: Pick<InvocationRecord, 'dispatch' | 'path'>): boolean {
  if (!isAtBreakpoint(draft.run)) return false
  if (record.dispatch?.stepped === true) return true
  for (let at = record.path; at !== ''; ) {
    const { container, parent } = placeOf(at)
    const around = recordOf(draft, forwardId(draft.state, container, parent))
    if (around?.dispatch?.stepped === true) return true
    at = parent
  }
  return false
}

/** Steps that went on alone stand still with the others from now on. */
export function endSteps(draft: Draft): void {
  for (const { id, dispatch } of draft.state.invocations.values()) {
    if (dispatch?.stepped !== true) continue
    const record = recordOf(draft, id)
    if (record === undefined || !isActive(record)) continue
    touchInvocation(draft, id, { dispatch: dispatchWith(record, { stepped: false }) })
  }
}
