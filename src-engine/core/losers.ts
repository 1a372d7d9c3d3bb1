/** Cancelling the branches that a satisfied join no longer waits for. */

import type { Cause, InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, recordOf, touchInvocation } from './draft.ts'
import { forwardId, loserCause } from './run-state.ts'

/** Keeps what had arrived at it: its input must not change while it is still under way. */
const causeOf = (record: InvocationRecord): Cause => ({ ...record.cause, kind: loserCause })

/**
 * Cancels what leads only to this join and is still under way; returns what ended at once. Work that
 * somebody owns is asked to stop; its owner answers. What hasn't started is skipped when it is reached.
 */
export function cancelLosers(draft: Draft, join: CompiledNode, path: string): readonly CompiledNode[] {
  const ended: CompiledNode[] = []
  for (const node of join.losers) {
    const record = recordOf(draft, forwardId(draft.state, node.id, path))
    if (record === undefined || invocationMachine.final.has(record.status)) continue
    const cause = causeOf(record)
    if (record.lease === null) {
      moveInvocation(draft, record.id, { to: 'CANCELLED', cause, set: { cause } })
      ended.push(node)
    } else if (record.cancelRequestedAt === null) {
      touchInvocation(draft, record.id, { cancelRequestedAt: draft.context.now, cause })
    }
  }
  return ended
}
