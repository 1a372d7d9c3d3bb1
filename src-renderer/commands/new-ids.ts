/** Ids of new elements: short, readable in expressions (`nodes.readFile2`), decided by the document alone. */

import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowEdge } from '../../src-engine/model/workflow.ts'

/** The first free id for a node of that kind: `httpRequest`, `httpRequest2`, … */
export function freeNodeId(kind: string, taken: ReadonlySet<string>): NodeId {
  return nodeId(firstFree(camelCase(kind), taken))
}

/** The first free id of a note: `note`, `note2`, … */
export function freeNoteId(taken: ReadonlySet<string>): string {
  return firstFree('note', taken)
}

/** The id of an edge says what it connects, so the same connection is never there twice. */
export function edgeIdOf(edge: Pick<WorkflowEdge, 'from' | 'to'>): EdgeId {
  return edgeId(`${edge.from.node}.${edge.from.port}>${edge.to.node}.${edge.to.port}`)
}

function firstFree(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) {
    const candidate = `${base}${number}`
    if (!taken.has(candidate)) return candidate
  }
}

function camelCase(kind: string): string {
  const text = kind.replaceAll(
    /[^a-zA-Z0-9]+(.)?/g,
    (_match, next: string | undefined) => next?.toUpperCase() ?? '',
  )
  return /^[a-zA-Z]/.test(text) ? text : `node${text}`
}
