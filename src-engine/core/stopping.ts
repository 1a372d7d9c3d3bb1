/** Whether a run is on its way to an end, and what sets it on that way. */

import type { ErrorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { RunRecord } from '../model/run.ts'
import type { Draft, ScopeDraft } from './draft.ts'
import { changeRun, recordOf, scopeAt } from './draft.ts'
import type { RunState } from './run-state.ts'
import { forwardId, isActive } from './run-state.ts'
import { placeOf } from './scope-path.ts'

/** Nothing new begins in a run that is stopping. */
export function isStopping(draft: Draft): boolean {
  return stops(draft.run, draft.state)
}

/** Whether the run was stopping before the decision that is being made on this state. */
export const wasStopping = (state: RunState): boolean => stops(state.run, state)

const alwaysStops: ReadonlySet<string> = new Set(['run_timed_out', 'run_too_long'])

function stops(run: RunRecord, state: RunState): boolean {
  // What is under way in it undoes what it did.
  if (run.status === 'COMPENSATING') return false
  // A stop step writes the output first, and the run ends once the rest has.
  if (run.cancelRequestedAt !== null || run.output !== null) return true
  if (run.error === null) return false
  return state.workflow.onFailure === 'stop' || stopsAlways(run.error) || isTakenBack(run.error)
}

const stopsAlways = (error: ErrorRecord): boolean => alwaysStops.has(error.code) || isStop(error)

/** Whether a stop step made it, which may have given it a code of its own. */
export const isStop = ({ code, details }: ErrorRecord): boolean =>
  code === 'run_stopped' || details['stopped'] === true

/** A result that had been handed on is held back: nobody may begin to work with what isn't there any more. */
const isTakenBack = ({ code, details }: ErrorRecord): boolean =>
  code === 'output_quarantined' && details['phase'] === 'content'

/**
 * The failure with the step that it began in, and that step's item or turn: what fails of it, as a loop does of
 * its turn, leaves it as it is.
 */
export function failureAt(
  { nodeId, path }: Pick<InvocationRecord, 'nodeId' | 'path'>,
  error: ErrorRecord,
): ErrorRecord {
  if (error.details['nodeId'] !== undefined) return error
  return { ...error, details: { ...error.details, nodeId, ...(path === '' ? {} : { path }) } }
}

/** Keeps what failed first, or is worse; inside a map or loop it is the item or turn that fails, not the run. */
export function noteFailure(draft: Draft, error: ErrorRecord, path: string): void {
  if (path !== '') scopeAt(draft, path).failed = true
  else if (draft.run.output === null && outranks(error, draft.run.error)) changeRun(draft, { error })
}

const deniedBy: ReadonlySet<string> = new Set(['approval_rejected', 'safety_denied', 'safety_unknown'])
const timedOutBy: ReadonlySet<string> = new Set([
  'run_timed_out',
  'task_timeout',
  'approval_expired',
  'wait_timeout',
])

/** How a run ends of which that error is kept. */
export function statusOfError(code: string): 'FAILED' | 'DENIED' | 'TIMED_OUT' {
  if (timedOutBy.has(code)) return 'TIMED_OUT'
  return deniedBy.has(code) ? 'DENIED' : 'FAILED'
}

const ranks = { FAILED: 2, DENIED: 1, TIMED_OUT: 0 } as const

/** What failed first is kept, unless it was less than a failure, or a step ends the run, and the run went on all the same. */
function outranks(error: ErrorRecord, kept: ErrorRecord | null): boolean {
  if (kept === null) return true
  if (stopsAlways(kept)) return false
  return isStop(error) || ranks[statusOfError(error.code)] > ranks[statusOfError(kept.code)]
}

/** Whether another try of it may follow; one of a compensation always may. */
export const goesOn = (draft: Draft, record: InvocationRecord): boolean =>
  record.role !== 'forward' || (!isStopping(draft) && !scopeStops(draft, scopeAt(draft, record.path)))

/** Nothing new begins in an item or turn that failed, or whose map or loop is on its way to an end. */
export function scopeStops(draft: Draft, scope: ScopeDraft): boolean {
  for (let at = scope; at.path !== ''; ) {
    if (at.failed || at.container === null) return true
    const place = placeOf(at.path)
    const id = forwardId(draft.state, at.container.id, place.parent)
    const record = recordOf(draft, id)
    if (record === undefined || !isActive(record) || record.cancelRequestedAt !== null) return true
    // A step of it left this turn.
    if (record.wait?.kind === 'turn' && record.wait.left !== undefined) return true
    if (record.wait?.kind === 'items') {
      const failed = (draft.maps?.get(id) ?? draft.state.maps.get(id))?.failed ?? 0
      if (failed > record.wait.tolerated) return true
    }
    at = scopeAt(draft, place.parent)
  }
  return false
}
