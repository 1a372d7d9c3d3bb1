/** The workflow that a copied run is bound to, and a changed one that is to take its place. */

import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { withVersionsOf } from '../../model/pinned-versions.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { ValidationOptions } from '../../model/validation.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Store } from '../../store/store.ts'
import { createAdmission } from '../admission.ts'

/** Throws `workflow_not_found`. */
export async function boundDocument(store: Store, hash: DefinitionHash): Promise<WorkflowDocument> {
  const version = await store.load(store.info.partitions[0] ?? 0, 'workflowVersion', { hash })
  // A published version is a document that passed validation.
  if (version !== null) return JSON.parse(version.document) as WorkflowDocument
  throw new SagasmithError('workflow_not_found', { details: { hash } })
}

export interface DocumentRules {
  readonly specsByKind: ReadonlyMap<string, TaskSpec>
  readonly validation: ValidationOptions
}

/**
 * The changed workflow as the run can be bound to it: it starts the same versions of others as the run did,
 * where it names none. Throws `document_invalid`, `bad_request`.
 */
export function documentInPlace(
  given: JsonObject,
  bound: WorkflowDocument,
  { runId, rules }: { readonly runId: RunId; readonly rules: DocumentRules },
): WorkflowDocument {
  // Validated right below.
  const document = given as unknown as WorkflowDocument
  createAdmission(rules.specsByKind, rules.validation, () => undefined).admit(document)
  if (document.id === bound.id) return withVersionsOf(document, bound)
  throw new SagasmithError('bad_request', {
    message: `The run ${runId} is one of “${bound.id}”; the document is “${document.id}”.`,
    details: { runId, workflowId: bound.id, given: document.id },
  })
}
