/** What a start request says of the version it runs, and of the run's own id. */

import type { DefinitionHash } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { canonicalJson } from '../model/json.ts'
import type { Instant } from '../model/time.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'

/** The version that the start of a run publishes. */
export function versionOf(document: WorkflowDocument, hash: DefinitionHash, now: Instant): WorkflowVersion {
  // Documents are JSON by construction: they were parsed from text or built from literals.
  const text = canonicalJson(document as unknown as JsonValue)
  return { hash, workflowId: document.id, title: document.title, document: text, publishedAt: now }
}

/** A request id of any form as part of a run's id: as it is where it looks like one, never ambiguous. */
export function requestPart(requestId: string): string {
  return /^[0-9a-z]{26}$/.test(requestId) ? requestId : `req_${encodeURIComponent(requestId)}`
}
