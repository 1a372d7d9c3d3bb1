/** What people call the steps that no document has: they are the engine's own, and in histories beside all others. */

import { outputStepId } from './workflow.ts'

/** The step that stands before a run whose start a policy doesn't let go on at once. No node of a document can have this id. */
export const gateStepId = '$start'

export const engineStepTitles: ReadonlyMap<string, string> = new Map([
  [outputStepId, 'Output'],
  [gateStepId, 'Start'],
])
