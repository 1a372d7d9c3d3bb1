/** Whether a document means what another one did. Pure. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** Whether they differ in places and sizes at most: what was found of the one is true of the other. */
export function isOnlyMoved(before: WorkflowDocument | null, now: WorkflowDocument): boolean {
  if (before === null || before === now) return before === now
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].every(
    (part) => part === 'layout' || Reflect.get(before, part) === Reflect.get(now, part),
  )
}
