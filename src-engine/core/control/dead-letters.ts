/** Dealing with dead letters, as a decision about their run. */

import type { Decision, DecisionContext } from '../draft.ts'
import { changeRun, createDraft, finishDraft } from '../draft.ts'
import type { RunState } from '../run-state.ts'

/** Takes dead letters of a run away; the run's history keeps who did what with them. */
export function settleLetters(state: RunState, context: DecisionContext, ids: readonly string[]): Decision {
  const draft = createDraft(state, context)
  changeRun(draft, {})
  const decision = finishDraft(draft)
  const writes = { ...decision.checkpoint.writes, settledLetters: ids }
  return { ...decision, checkpoint: { ...decision.checkpoint, writes } }
}
