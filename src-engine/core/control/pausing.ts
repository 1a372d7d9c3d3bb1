/** What a paused run does to every decision about it: nothing new begins, and its status follows. */

import type { InvocationId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Draft } from '../draft.ts'
import { recordOf } from '../draft.ts'
import { isActive } from '../run-state.ts'
import { goesOn, isAtBreakpoint, standBeforeNext } from './breakpoints.ts'
import { hold } from './hold.ts'

/** Whether somebody asked to pause the run, be it in effect already or not. */
export const isPausing = (draft: Draft): boolean => draft.run.pauseRequestedAt !== null

/** Sets aside what became available; all of it when the pause was asked for in this decision. */
export function holdTheRest(draft: Draft): void {
  const { state, records } = draft
  const ids: Iterable<InvocationId> =
    state.run.pauseRequestedAt === null
      ? new Set([...state.invocations.keys(), ...records.keys()])
      : [...records.keys()]
  for (const id of ids) {
    const record = recordOf(draft, id)
    if (record === undefined || goesOn(draft, record)) continue
    hold(draft, record, null)
    standBeforeNext(draft, id)
  }
}

/** PAUSED once nobody works on the run any more but for programs that stand still, and nothing goes on alone. */
export function pausedStatus(draft: Draft): RunStatus {
  for (const id of new Set([...draft.state.invocations.keys(), ...draft.records.keys()])) {
    const record = recordOf(draft, id)
    if (record === undefined) continue
    if (record.lease !== null && record.status !== 'PAUSED') return 'RUNNING'
    if (record.dispatch?.stepped === true && isActive(record) && isAtBreakpoint(draft.run)) return 'RUNNING'
  }
  return 'PAUSED'
}
