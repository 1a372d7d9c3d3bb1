/** The error codes of trust in definitions. */

import { entry } from './error-entry.ts'

export const trustErrorCatalogue = {
  definition_altered: entry(
    'The published definition is not the one that its hash names.',
    'Somebody changed it in the store. Find out who can write there, then push the workflow again.',
  ),
  definition_not_trusted: entry(
    'This runner does not trust the definition.',
    'Look at it, then approve it on the runner with `sagasmith trust approve HASH`.',
  ),
  document_not_trusted: entry(
    'This workflow is restricted: nobody here has trusted what it may touch.',
    'Open it, look at what it may touch and trust it. A command that names the file trusts it too: `sagasmith run FILE`. Until then it can be edited, rehearsed and tested on mocks.',
  ),
  trusted_documents_damaged: entry(
    'The list of trusted workflows can’t be read.',
    'Restore trusted-documents.json from a backup, or move it away and trust anew. It was left untouched.',
  ),
  trust_list_damaged: entry(
    'The list of what this runner trusts can’t be read.',
    'Restore trust.json from a backup, or move it away and approve anew. It was left untouched.',
  ),
  signing_key_not_found: entry(
    'There is no such signing key.',
    'Make one with `sagasmith trust key create NAME`.',
  ),
  signing_key_exists: entry('There is a signing key of that name already.', 'Choose another name.'),
  signing_key_exposed: entry(
    'Others can read the signing key.',
    'Make it yours alone: chmod 600. If somebody may have read it, make another and remove this one from the runners.',
  ),
  signing_key_damaged: entry('The file is no signing key.', 'Restore it from a backup, or make another key.'),
} as const
