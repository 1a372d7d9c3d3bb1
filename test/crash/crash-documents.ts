/** Documents of the harness, with steps that do what their parameters say. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** From a port of a node to the next one. */
export const edge = (from: string, to: string, port = 'out'): readonly [string, JsonObject] => {
  return [`${from}-${to}`, { from: { node: from, port }, to: { node: to, port: 'in' } }]
}

/** A document; throws when it can't be read. */
export function documentOf(
  id: string,
  nodes: JsonObject,
  edges: readonly (readonly [string, JsonObject])[],
): WorkflowDocument {
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id,
    title: id,
    nodes,
    edges: Object.fromEntries(edges),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

/** A step that fails `failTimes`, then gives `items` rows, or waits for `amount` ms. */
export const step = (parameters: JsonObject = {}): JsonObject => ({ kind: 'debug', parameters })
