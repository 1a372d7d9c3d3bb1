/** The step that stands before a run whose start a policy doesn't let go on at once. */

import type { WorkflowNode } from '../../model/workflow.ts'

/** A step that does nothing, of a kind that every runner knows. */
export const gateStep: WorkflowNode = { kind: 'noop', sideEffect: 'pure' }
