/** A step that concurrency control ended without running ends so again: a replay has no limits of its own. */

import type { Decision, DecisionContext } from '../../core/draft.ts'
import { createDraft, finishDraft, moveInvocation, nodeOf } from '../../core/draft.ts'
import { failFinally } from '../../core/fail-finally.ts'
import { propagateFrom } from '../../core/propagate.ts'
import type { RunState } from '../../core/run-state.ts'
import { settle } from '../../core/settle.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { timeoutPort } from '../../model/workflow.ts'

/** The step that is under way, as `was` has it; null when it isn't. */
export function endWithoutRoom(
  state: RunState,
  context: DecisionContext,
  { id, was }: { readonly id: InvocationId; readonly was: InvocationRecord },
): Decision | null {
  const record = state.invocations.get(id)
  if (record?.status !== 'RUNNING') return null
  const draft = createDraft(state, context)
  const { error, cause } = was
  const back = moveInvocation(draft, id, { to: 'RETRY' })
  const node = nodeOf(draft, back)
  const final = was.status === 'TIMEOUT' ? 'TIMEOUT' : 'CONCURRENCY_CONTROLLED_FINAL'
  if (was.ports?.includes(timeoutPort) === true) {
    const set = { error, ports: was.ports }
    propagateFrom(draft, node, moveInvocation(draft, id, { to: final, set }))
  } else if (cause.kind === 'skipped') {
    const set = { error, cause, ports: was.ports }
    propagateFrom(draft, node, moveInvocation(draft, id, { to: final, cause, set }))
  } else {
    failFinally(draft, back, {
      node,
      set: { error },
      attempt: null,
      final,
    })
  }
  settle(draft)
  return finishDraft(draft)
}
