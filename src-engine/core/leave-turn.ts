/**
 * A step that leaves the turn of the loop around it. How it was left stands on the loop's own record, in the checkpoint
 * of the step's success: whatever is still under way in the turn ends first, and a restart in between knows.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import { loopKind } from '../model/containers.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord, LeftTurn } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { cancelLevel } from './cancel-level.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOf, recordOf, touchInvocation } from './draft.ts'
import { failFinally } from './fail-finally.ts'
import { forwardId } from './run-state.ts'
import { placeOf } from './scope-path.ts'

export interface LeaveEnd {
  readonly kind: 'leaves'
  readonly how: LeftTurn['how']
  readonly output: Payload
}

/** The step succeeds; its turn ends once nothing is under way in it any more. */
export function leaveTurn(
  draft: Draft,
  record: InvocationRecord,
  left: { readonly end: LeaveEnd; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { end, input, attempt } = left
  const turn = turnAround(draft, record)
  if (turn === null) {
    const set = { input, error: errorRecord('not_in_a_loop', { details: { nodeId: record.nodeId } }) }
    failFinally(draft, record, { node: nodeOf(draft, record), set, attempt, final: 'FAILED' })
    return
  }
  moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { input, output: end.output, ports: [], error: null },
    attempt,
  })
  const { loop, path } = turn
  if (loop.wait?.kind !== 'turn' || loop.wait.left !== undefined) return
  const how: LeftTurn = { how: end.how, by: record.nodeId, value: end.output }
  touchInvocation(draft, loop.id, { wait: { ...loop.wait, left: how } })
  cancelLevel(draft, path, `Cancelled because “${record.nodeId}” left this turn.`)
}

/** The innermost loop around a step, and the path of its turn; null where there is none. */
function turnAround(
  draft: Draft,
  record: InvocationRecord,
): { readonly loop: InvocationRecord; readonly path: string } | null {
  for (let path = record.path; path !== ''; ) {
    const { container, parent } = placeOf(path)
    const around = recordOf(draft, forwardId(draft.state, container, parent))
    if (around?.taskKind === loopKind) return { loop: around, path }
    path = parent
  }
  return null
}
