/** Workflows in code: the same document that the designer draws, with less to write. */

import { edgeId, nodeId, workflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode, WorkflowSettings } from '../model/workflow.ts'
import { documentFormat, documentSchemaVersion, inputPort, outputPort } from '../model/workflow.ts'

/** `fetch`, or `check:true` for a port other than the usual one. */
export type EdgeEnd = string

export interface WorkflowDefinition {
  readonly id: string
  /** Default: the id. */
  readonly title?: string
  readonly description?: string
  /** JSON Schema of the input. */
  readonly input?: JsonObject
  readonly variables?: JsonObject
  readonly settings?: WorkflowSettings
  readonly nodes: Readonly<Record<string, WorkflowNode>>
  /** From → to, in the order of reading: `['fetch', 'check:in']`. */
  readonly edges?: readonly (readonly [from: EdgeEnd, to: EdgeEnd])[]
}

/**
 * A workflow document. It is checked when it is run; edges are named by their order, so the same
 * definition is always the same version.
 */
export function defineWorkflow(definition: WorkflowDefinition): WorkflowDocument {
  const { id, title, nodes, edges, ...rest } = definition
  return {
    ...rest,
    format: documentFormat,
    schemaVersion: documentSchemaVersion,
    id: workflowId(id),
    title: title ?? id,
    nodes: Object.fromEntries(Object.entries(nodes).map(([key, node]) => [nodeId(key), node])),
    edges: Object.fromEntries(
      (edges ?? []).map(([from, to], index) => [edgeId(`e${index + 1}`), edgeOf(from, to)]),
    ),
  }
}

const edgeOf = (from: EdgeEnd, to: EdgeEnd): WorkflowEdge => ({
  from: endOf(from, outputPort),
  to: endOf(to, inputPort),
})

function endOf(text: EdgeEnd, usualPort: string): WorkflowEdge['from'] {
  const colon = text.indexOf(':')
  if (colon === -1) return { node: nodeId(text), port: usualPort }
  return { node: nodeId(text.slice(0, colon)), port: text.slice(colon + 1) }
}
