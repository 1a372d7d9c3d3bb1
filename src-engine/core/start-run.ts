/** The first decision of a run: its record, its first invocations, all in one checkpoint. */

import type { RunRecord } from '../model/run.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { Decision, DecisionContext } from './draft.ts'
import { addEvent, changeRun, createDraft, finishDraft } from './draft.ts'
import { propagateStart } from './propagate.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'

/**
 * Starts the run whose CREATED record (version 1) is in the otherwise empty state. `version` is published
 * in the same checkpoint when it is new; null when it is known.
 */
export function startRun(
  state: RunState,
  context: DecisionContext,
  version: WorkflowVersion | null,
): Decision {
  const draft = createDraft(state, context, true)
  const run: RunRecord = state.run
  addEvent(draft, { invocationId: null, cause: run.cause, body: { type: 'run.created', run } })
  changeRun(draft, { startedAt: context.now }, 'RUNNING')
  propagateStart(draft)
  settle(draft)
  return publishing(finishDraft(draft), version)
}

/** The decision with the version that is published in its checkpoint; null for none. */
export function publishing(decision: Decision, version: WorkflowVersion | null): Decision {
  if (version === null) return decision
  const writes = { ...decision.checkpoint.writes, workflowVersions: [version] }
  return { ...decision, checkpoint: { ...decision.checkpoint, writes } }
}
