/** A workflow version: the immutable snapshot that runs are bound to. */

import type { DefinitionHash, WorkflowId } from './ids.ts'
import type { Instant } from './time.ts'

export interface WorkflowVersion {
  readonly hash: DefinitionHash
  readonly workflowId: WorkflowId
  readonly title: string
  /** The document as canonical JSON text. */
  readonly document: string
  readonly publishedAt: Instant
}
