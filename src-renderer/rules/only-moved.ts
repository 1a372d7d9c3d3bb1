/** Whether a document means what another one did. Pure. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

type Part = keyof WorkflowDocument

/** Whether they differ in places and sizes at most: what was found of the one is true of the other. */
export function isOnlyMoved(before: WorkflowDocument | null, now: WorkflowDocument): boolean {
  return differIn(before, now, onlyPlaces)
}

/**
 * Whether they differ at most in what touches nothing by itself: both reach the same then. That an edge leads elsewhere
 * changes the order of things, not what they are.
 */
export function reachesAlike(before: WorkflowDocument | null, now: WorkflowDocument): boolean {
  return differIn(before, now, touchingNothing)
}

const onlyPlaces: ReadonlySet<Part> = new Set(['layout'])
const touchingNothing: ReadonlySet<Part> = new Set(['layout', 'edges', 'notes', 'frames'])

function differIn(before: WorkflowDocument | null, now: WorkflowDocument, parts: ReadonlySet<Part>): boolean {
  if (before === null || before === now) return before === now
  // Keys of a document are its parts.
  const all = [...new Set([...Object.keys(before), ...Object.keys(now)])] as Part[]
  return all.every((part) => parts.has(part) || before[part] === now[part])
}
