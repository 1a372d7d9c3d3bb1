/** A problem of a document: where it is, what is wrong, what to do. One form for canvas, CLI and engine. */

import type { EdgeId, NodeId } from './ids.ts'

export interface Problem {
  /** Stable, for programs: `unknown_kind`, `missing_parameter`, `cycle`, … */
  readonly code: string
  /** An error keeps the workflow from running; a warning doesn't. */
  readonly severity: 'error' | 'warning'
  readonly nodeId: NodeId | null
  readonly edgeId: EdgeId | null
  /** Path inside the node (or the document): `parameters.url`, `retry.maxAttempts`. */
  readonly field: string | null
  readonly message: string
  readonly hint: string
}
