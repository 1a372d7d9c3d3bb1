/**
 * A workflow as code says it, and the document that it stands for: format and version are added, and edges are
 * written as pairs (`['fetch', 'check:in']`). Everything else is the document's own form. Pure data: types for
 * people who write code are in the SDK.
 */

import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { documentFormat, documentSchemaVersion, inputPort, outputPort } from '../workflow.ts'

/** The function that code calls with a definition. */
export const defineFunction = 'defineWorkflow'
/** The function that code calls for values that have no type: unknown kinds, wrong forms. */
export const keepFunction = 'kept'
/** The function whose answer is spread for fields that have no type. */
export const extraFunction = 'extra'
/** Where code imports them from. */
export const sdkModule = 'sagasmith'

/** One end of an edge as text: `check`, or `check:true` for a port other than the usual one. */
export function endText(end: JsonValue | undefined, usualPort: string): string | null {
  if (!isJsonObject(end) || Object.keys(end).length !== 2) return null
  const { node, port } = end
  if (typeof node !== 'string' || typeof port !== 'string' || node.includes(':')) return null
  return port === usualPort ? node : `${node}:${port}`
}

/** The end that a text names. */
function endOf(text: string, usualPort: string): { readonly node: string; readonly port: string } {
  const colon = text.indexOf(':')
  if (colon === -1) return { node: text, port: usualPort }
  return { node: text.slice(0, colon), port: text.slice(colon + 1) }
}

/** The document of a definition. What isn't one stays as it is, for whoever checks documents to name. */
export function documentOfDefinition(definition: JsonObject): JsonObject {
  const { id, title, edges, nodes } = definition
  return {
    ...definition,
    format: documentFormat,
    schemaVersion: documentSchemaVersion,
    title: title ?? id ?? '',
    nodes: nodes ?? {},
    edges: edgesOf(edges ?? {}),
  }
}

function edgesOf(edges: JsonValue): JsonValue {
  // Edges of a list are named by their order, so that the same definition is always the same version.
  const entries = Array.isArray(edges)
    ? edges.map((edge: JsonValue, index): [string, JsonValue] => [`e${index + 1}`, edge])
    : isJsonObject(edges)
      ? Object.entries(edges)
      : null
  if (entries === null) return edges
  return Object.fromEntries(entries.map(([id, edge]) => [id, edgeOf(edge)]))
}

function edgeOf(edge: JsonValue): JsonValue {
  if (!Array.isArray(edge)) return edge
  const [from, to, more] = edge as readonly JsonValue[]
  if (typeof from !== 'string' || typeof to !== 'string') return edge
  return {
    ...(isJsonObject(more) ? more : {}),
    from: { ...endOf(from, outputPort) },
    to: { ...endOf(to, inputPort) },
  }
}
