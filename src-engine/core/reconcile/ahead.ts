/** Available work that looks as if it were to come: the wall clock went back since it was registered. */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Instant } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'

/** Clocks that are read one after the other may differ by less. */
const toleranceMs = second

/** Whether only its own time of registration keeps it from being claimed. */
export const isAhead = (record: InvocationRecord, now: Instant): boolean =>
  record.notBefore === null &&
  invocationMachine.available.has(record.status) &&
  record.registeredAt > now + toleranceMs

/** Has it claimed from now on. Null when there is nothing (more) to do. */
export function makeClaimable(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record === undefined || !isAhead(record, context.now)) return null
  const draft = createDraft(state, context)
  touchInvocation(draft, id, { notBefore: context.now })
  return finishDraft(draft)
}
