/** New and foreign documents as the designer holds them. */

import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { WorkflowId } from '../../src-engine/model/ids.ts'
import { workflowId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { documentFormat, documentSchemaVersion } from '../../src-engine/model/workflow.ts'
import type { Ambient } from './services.ts'

const usualTitle = 'Untitled workflow'

/** What a new workflow is called beside those: tabs and files are told from each other by it. */
export function freeTitle(taken: readonly string[]): string {
  let title = usualTitle
  for (let number = 2; taken.includes(title); number += 1) title = `${usualTitle} ${number}`
  return title
}

/** An id that no workflow has yet. */
export const newWorkflowId = ({ newId }: Pick<Ambient, 'newId'>): WorkflowId => workflowId(`wf_${newId()}`)

/** An empty workflow. */
export function blankDocument(id: string, title = usualTitle): WorkflowDocument {
  return {
    format: documentFormat,
    schemaVersion: documentSchemaVersion,
    id: workflowId(id),
    title,
    nodes: {},
    edges: {},
  }
}

/** The document in parsed JSON; throws `document_invalid` when it has no canvas to show. */
export function asDocument(json: JsonObject): WorkflowDocument {
  if (json['format'] !== documentFormat || !isJsonObject(json['nodes']) || !isJsonObject(json['edges'])) {
    throw new SagasmithError('document_invalid', {
      message: 'This JSON is not a Sagasmith workflow: `format`, `nodes` or `edges` is missing.',
      hint: 'Choose a file that Sagasmith saved or exported.',
    })
  }
  // The engine has validated it in depth; its problems are listed beside it.
  return json as unknown as WorkflowDocument
}

/** The document as the protocol carries it. */
export function asJson(document: WorkflowDocument): JsonObject {
  return document as unknown as JsonObject
}
