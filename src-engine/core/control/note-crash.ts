/** What the history of a run says of a crash that somebody asked for: the wish, and the death. */

import type { Decision, DecisionContext } from '../draft.ts'
import { changeRun, createDraft, finishDraft } from '../draft.ts'
import type { RunState } from '../run-state.ts'

/** The kinds of the causes that say so. */
export const crashCauses = { asked: 'crash', died: 'crash.died', missed: 'crash.missed' } as const

export type CrashNote = keyof typeof crashCauses

/** Changes nothing of the run: the event is what it is for. */
export function noteCrash(state: RunState, context: DecisionContext): Decision {
  const draft = createDraft(state, context)
  changeRun(draft, {})
  return finishDraft(draft)
}
