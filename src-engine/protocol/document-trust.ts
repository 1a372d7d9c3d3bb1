/** The methods of `documents.*`: which documents may be run here, and with what somebody trusted them. */

import { z } from 'zod'
import type { DocumentStanding, TrustedDocument } from '../model/document-trust.ts'
import type { WorkflowId } from '../model/ids.ts'
import { workflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

export interface DocumentTrustApi {
  /** Whether the document may be run, and all that it may touch; throws `trusted_documents_damaged`. */
  readonly 'documents.standing': {
    readonly input: { readonly document: JsonObject }
    readonly output: DocumentStanding
  }
  /** Trusts a document with all that it reaches as it is, beside what it was trusted with. */
  readonly 'documents.trust': {
    readonly input: { readonly document: JsonObject; readonly reason: 'made' | 'looked' }
    readonly output: DocumentStanding
  }
  /** Newest first. */
  readonly 'documents.trusted': {
    readonly input: Record<string, never>
    readonly output: { readonly documents: readonly TrustedDocument[] }
  }
  /** What is under way stays; nothing of it is started any more until it is trusted anew. */
  readonly 'documents.revoke': {
    readonly input: { readonly workflowId: WorkflowId }
    readonly output: Record<string, never>
  }
}

const document = z.custom<JsonObject>(isJsonObject, 'Expected an object')
const nothing: z.ZodType<Record<string, never>> = z.object({}).transform(() => ({}))

export const documentTrustSchemas = {
  'documents.standing': z.object({ document }),
  'documents.trust': z.object({ document, reason: z.enum(['made', 'looked']) }),
  'documents.trusted': nothing,
  'documents.revoke': z.object({ workflowId: z.string().min(1).max(4_096).transform(workflowId) }),
}
