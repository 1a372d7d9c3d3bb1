/** The step that stands before a run whose start a policy doesn't let go on at once. */

import type { WorkflowNode } from '../../model/workflow.ts'

/** No node of a document can have this id. */
export const gateStepId = '$start'

/** A step that does nothing, of a kind that every runner knows. */
export const gateStep: WorkflowNode = { kind: 'noop', sideEffect: 'pure' }
