/** What a start request says of the version it runs, and of the run's own id. */

import type { DefinitionHash } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { canonicalJson } from '../model/json.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { StartRequest } from './engine.ts'

/** The version that a request publishes. */
export function versionOf(request: StartRequest, hash: DefinitionHash, now: number): WorkflowVersion {
  // Documents are JSON by construction: they were parsed from text or built from literals.
  const document = canonicalJson(request.document as unknown as JsonValue)
  return { hash, workflowId: request.document.id, title: request.document.title, document, publishedAt: now }
}

/** A request id of any form as part of a run's id: as it is where it looks like one, never ambiguous. */
export function requestPart(requestId: string): string {
  return /^[0-9a-z]{26}$/.test(requestId) ? requestId : `req_${encodeURIComponent(requestId)}`
}
