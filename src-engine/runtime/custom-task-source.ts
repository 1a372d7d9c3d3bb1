/** Where an engine finds the tasks that people made; it never runs one, only what they stand for. */

import type { WorkflowDocument } from '../model/workflow.ts'

export interface CustomTaskSource {
  /**
   * The document with its custom tasks written out as they are now; the same one where it has none. Throws
   * `document_invalid`.
   */
  readonly writeOut: (document: WorkflowDocument) => Promise<WorkflowDocument>
}

/** Nobody made any. */
export const noCustomTasks: CustomTaskSource = { writeOut: (document) => Promise.resolve(document) }
