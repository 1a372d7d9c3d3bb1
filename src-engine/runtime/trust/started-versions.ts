/** All versions that a bound workflow can start: who trusts it means these too. */

import type { TaskSpecs } from '../../model/definition-hash.ts'
import { definitionHashOf } from '../../model/definition-hash.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { definitionHash } from '../../model/ids.ts'
import { callKind, callText } from '../../model/pinned-versions.ts'
import { definitionHashPattern } from '../../model/trust.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { Definitions } from '../definitions.ts'

/** What finding them takes. */
export interface StartedVersionsParts {
  readonly definitions: Pick<Definitions, 'version'>
  readonly specsByKind: TaskSpecs
}

/**
 * Through every depth, each once; `unpublished` are those that the store doesn't have yet. Throws
 * `definition_altered`, for what they start is asked of the documents, and the store may be anybody's.
 */
export async function startedVersions(
  parts: StartedVersionsParts,
  document: WorkflowDocument,
  unpublished: readonly WorkflowVersion[],
): Promise<readonly DefinitionHash[]> {
  return [...(await startedDocuments(parts, document, unpublished)).keys()]
}

/** The same with their documents, by hash. */
export async function startedDocuments(
  { definitions, specsByKind }: StartedVersionsParts,
  document: WorkflowDocument,
  unpublished: readonly WorkflowVersion[],
): Promise<ReadonlyMap<DefinitionHash, WorkflowDocument>> {
  const found = new Map<DefinitionHash, WorkflowDocument>()
  const ahead = [document]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for (const hash of namedVersions(next)) {
      if (found.has(hash)) continue
      const version =
        unpublished.find((candidate) => candidate.hash === hash) ?? (await definitions.version(hash))
      // Documents are JSON by construction.
      const started = JSON.parse(version.document) as WorkflowDocument
      if (definitionHashOf(started, specsByKind) !== hash) {
        throw new SagasmithError('definition_altered', { details: { hash } })
      }
      found.set(hash, started)
      ahead.push(started)
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function namedVersions({ nodes }: WorkflowDocument): readonly DefinitionHash[] {
  return Object.values(nodes).flatMap((node) => {
    const version = node.kind === callKind && node.disabled !== true ? callText(node, 'version') : ''
    return definitionHashPattern.test(version) ? [definitionHash(version)] : []
  })
}
