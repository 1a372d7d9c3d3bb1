/** Taking what stands in a queue in the checkpoint that begins it, by a runner that has its run at hand. */

import type { InvocationId } from '../model/ids.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { Decision, DecisionContext } from './draft.ts'
import { createDraft, finishDraft } from './draft.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'
import { startNow } from './start-now.ts'

/** Null when it stands there no longer, or something is to be asked or done before it begins: then a claim decides. */
export function startFromQueue(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record === undefined || !invocationMachine.available.has(record.status)) return null
  const draft = createDraft(state, context)
  startNow(draft, record)
  if (draft.started.length === 0) return null
  settle(draft)
  return finishDraft(draft)
}
