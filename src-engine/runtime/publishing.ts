/** Publishing a version without starting a run of it, and what that would mean for the store. */

import type { DefinitionHash } from '../model/ids.ts'
import type { DefinitionSignature } from '../model/trust.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { PushPreview } from '../protocol/push.ts'

export interface PublishRequest {
  readonly document: WorkflowDocument
  /** Where its relative references start; null for none. */
  readonly baseDirectory: string | null
}

export interface Publishing {
  /** What publishing would do. Throws `document_invalid`, `sub_workflow_…`. */
  readonly preview: (request: PublishRequest) => Promise<PushPreview>
  /** Publishes the version with those it starts; a known one changes nothing. Throws what `preview` throws. */
  readonly publish: (
    request: PublishRequest,
  ) => Promise<{ readonly hash: DefinitionHash; readonly isNew: boolean }>
  /** The versions that a published one starts, through every depth; none for one that isn't published. */
  readonly starts: (hash: DefinitionHash) => Promise<readonly DefinitionHash[]>
  /** Keeps a signature with a published version. Throws `workflow_not_found`, `bad_request`. */
  readonly sign: (hash: DefinitionHash, signature: DefinitionSignature) => Promise<void>
}
