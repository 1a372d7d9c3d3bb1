/** What became of telling people elsewhere, on the question itself: it is decided as ever, whatever became of that. */

import type { ApprovalNotice, ApprovalWait } from '../../model/approval.ts'
import type { ToldQuestion } from '../../model/effect.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import { createDraft, finishDraft, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { approvalOf } from './ask.ts'

/** The question as it still stands; null once it was decided, or asked anew. */
export function questionTold(
  state: RunState,
  { invocationId, revision }: Pick<ToldQuestion, 'invocationId' | 'revision'>,
): { readonly record: InvocationRecord; readonly wait: ApprovalWait } | null {
  const record = state.invocations.get(invocationId)
  const wait = record === undefined ? null : approvalOf(record)
  if (record === undefined || wait === null || wait.revision !== revision) return null
  return { record, wait }
}

/** Null where nobody waits for that any more. */
export function noteNotice(
  state: RunState,
  context: DecisionContext,
  { told, notice }: { readonly told: ToldQuestion; readonly notice: ApprovalNotice },
): Decision | null {
  const question = questionTold(state, told)
  if (question === null) return null
  const draft = createDraft(state, context)
  const others = (question.wait.notices ?? []).filter(({ occasion }) => occasion !== notice.occasion)
  touchInvocation(draft, told.invocationId, { wait: { ...question.wait, notices: [...others, notice] } })
  return finishDraft(draft)
}
