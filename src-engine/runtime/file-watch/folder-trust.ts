/**
 * Which folders a runner looks into that executes only what is trusted. Triggers are no part of what is trusted: whoever
 * can write in the store says where they look. So a definition's approved paths, which are, say where that may be.
 */

import { isAbsolute } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { isWithin } from '../../tasks/file-place.ts'
import type { Definitions } from '../definitions.ts'
import type { DefinitionTrust } from '../trust/definition-trust.ts'
import type { FolderAccess } from './folder-access.ts'

interface FolderTrustParts {
  readonly definitions: Pick<Definitions, 'version'>
  readonly real: FolderAccess['real']
  /** Null where every definition is trusted. */
  readonly trust: DefinitionTrust | null
}

/** Throws `definition_not_trusted`, `file_place_denied`. */
export async function refuseUntrusted(
  { definitions, real, trust }: FolderTrustParts,
  { definitionHash: hash }: TriggerRecord,
  folder: string,
): Promise<void> {
  if (trust === null) return
  await trust.refresh()
  if (!trust.accepts(hash)) throw new SagasmithError('definition_not_trusted', { details: { hash } })
  const { document } = await definitions.version(hash)
  // Documents are JSON by construction.
  const paths = (JSON.parse(document) as WorkflowDocument).capabilities?.paths ?? []
  const place = await real(folder)
  // Relative ones start where the trigger's record says.
  for (const path of paths.filter((one) => isAbsolute(one))) if (isWithin(place, await real(path))) return
  throw new SagasmithError('file_place_denied', {
    message: `“${folder}” is outside of the folders that the trusted workflow names.`,
    hint: 'Add the folder to the paths in the workflow’s capability list, from the root, and trust that version.',
    details: { path: folder, approved: [...paths] },
  })
}
