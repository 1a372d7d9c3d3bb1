/** Which documents are trusted here, and with what. */

import type { DocumentTrustApi } from '../../protocol/document-trust.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `documents.*`. */
export const documentTrustHandlers = ({
  documentTrust,
}: Pick<HandlerDeps, 'documentTrust'>): Handlers<keyof DocumentTrustApi> => ({
  'documents.standing': ({ document }) => documentTrust.standing(document),
  'documents.trust': ({ document, reason }) => documentTrust.trust(document, reason),
  'documents.trusted': async () => ({ documents: await documentTrust.list() }),
  'documents.revoke': async ({ workflowId }) => {
    await documentTrust.revoke(workflowId)
    return {}
  },
})
