/** Fields of steps: where one is, and in which tab of the inspector it is written. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { InspectorTab } from './panels.ts'

/** A field of a step, by its place in it. */
export interface FieldPlace {
  readonly nodeId: NodeId
  /** `parameters.headers[0].value`. */
  readonly field: string
}

/** By the field's place in its step; null is the step as a whole. */
export function fieldTab(field: string | null): InspectorTab {
  if (field === null || field.startsWith('parameters') || field === 'taskVersion') return 'parameters'
  return field.startsWith('compensation') ? 'undo' : 'settings'
}
