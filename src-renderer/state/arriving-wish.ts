/** A workflow from elsewhere, and the one here that has its id. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** Who has the id already. */
export interface Twin {
  readonly title: string
  /** Null for one that isn't saved, or that is known by its published version only. */
  readonly path: string | null
}

export interface Arriving {
  readonly document: WorkflowDocument
  readonly twin: Twin
}
