/** Workflows in code: the same document that the designer draws, with types for every kind and setting. */

import { documentOfDefinition } from '../model/code/workflow-definition.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowDefinition } from './definition-types.ts'

/**
 * A workflow document. The types know each kind's parameters and the ids of the nodes; what the workflow means is
 * checked when it is run (`document_invalid`). The same definition is always the same version.
 */
export function defineWorkflow<const Id extends string>(
  definition: WorkflowDefinition<Id>,
): WorkflowDocument {
  // A definition is JSON; its type has no index signature. What it becomes has the form of a document.
  return documentOfDefinition(definition as unknown as JsonObject) as unknown as WorkflowDocument
}

/**
 * Takes a value as it is, whatever the types say: a node of a kind that this version doesn't know, a value that is
 * wrong and known to be. The workflow's checks still tell what is wrong with it.
 */
export function kept(value: JsonValue): never {
  // It fits everywhere: that is what it is for.
  return value as never
}

/** Fields that no type knows, to be spread into an object: those of another program or of a newer version. */
export function extra(fields: JsonObject): object {
  return fields
}
