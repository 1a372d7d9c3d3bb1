/** Ids of new elements: short, readable in expressions (`nodes.readFile2`), decided by the document alone. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowEdge } from '../../src-engine/model/workflow.ts'

/** The first free id for a node of that kind: `httpRequest`, `httpRequest2`, … */
export function freeNodeId(kind: string, taken: ReadonlySet<string>): NodeId {
  return nodeId(firstFree(camelCase(kind), taken))
}

/** The first free id of a note: `note`, `note2`, … */
export function freeNoteId(taken: ReadonlySet<string>): string {
  return firstFree('note', taken)
}

/** The first free id of a group that is undone together: `undone`, `undone2`, … */
export function freeScopeId(taken: ReadonlySet<string>): string {
  return firstFree('undone', taken)
}

/** The first free id of a frame: `frame`, `frame2`, … */
export function freeFrameId(taken: ReadonlySet<string>): string {
  return firstFree('frame', taken)
}

/** The first free id of a trigger: `cron`, `cron2`, … */
export function freeTriggerId(kind: string, taken: ReadonlySet<string>): string {
  return firstFree(camelCase(kind), taken)
}

/** Ids are at most 128 characters of letters, digits, `_` and `-`; this leaves room for a number. */
const edgeIdCharsMax = 120

/** The id that an edge gets when it is free: it says what the edge connects. */
export function edgeIdOf(edge: Pick<WorkflowEdge, 'from' | 'to'>): EdgeId {
  const words = `${edge.from.node}-${edge.from.port}-to-${edge.to.node}`
  return edgeId(words.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, edgeIdCharsMax))
}

/** The first free id for an edge. */
export function freeEdgeId(edge: Pick<WorkflowEdge, 'from' | 'to'>, taken: Taken): EdgeId {
  return edgeId(firstFree(edgeIdOf(edge), taken))
}

/** Whether two edges connect the same ports. */
export function sameEnds(
  left: Pick<WorkflowEdge, 'from' | 'to'>,
  right: Pick<WorkflowEdge, 'from' | 'to'>,
): boolean {
  return (
    left.from.node === right.from.node &&
    left.from.port === right.from.port &&
    left.to.node === right.to.node &&
    left.to.port === right.to.port
  )
}

type Taken = Pick<ReadonlySet<string>, 'has'>

function firstFree(base: string, taken: Taken): string {
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
