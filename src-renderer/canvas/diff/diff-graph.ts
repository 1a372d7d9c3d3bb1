/** Two versions of a workflow as one picture: the later one, with what it lost as ghosts. Pure. */

import type { VersionChange } from '../../../src-engine/model/version-changes.ts'
import type {
  Point,
  WorkflowDocument,
  WorkflowEdge,
  WorkflowNode,
} from '../../../src-engine/model/workflow.ts'
import { freePlace, placeOf } from '../geometry.ts'

/** What became of a node or an edge. */
export type DiffMark = VersionChange['change'] | 'failed' | 'same' | 'parts'

/** How much longer one run took at a node than another. */
export interface NodeDelta {
  readonly text: string
  readonly isSlower: boolean
  /** From 1 for little to 3 for much. */
  readonly heat: 1 | 2 | 3
}

export interface DiffGraph {
  readonly document: WorkflowDocument
  /** Marks of what differs; the rest is the same in both. */
  readonly nodes: ReadonlyMap<string, DiffMark>
  readonly edges: ReadonlyMap<string, DiffMark>
  /** Absent where no times are compared. */
  readonly deltas?: ReadonlyMap<string, NodeDelta>
}

/** The picture of what leads from one version to another; without an earlier one, all is as it is. */
export function diffGraph(
  before: WorkflowDocument | null,
  after: WorkflowDocument,
  changes: readonly VersionChange[],
): DiffGraph {
  const marksOf = (what: VersionChange['what']): ReadonlyMap<string, DiffMark> =>
    new Map(changes.filter((one) => one.what === what).map(({ id, change }) => [id, change]))
  const nodes = marksOf('node')
  const edges = marksOf('edge')
  const document = before === null ? after : withGhosts(before, after, { nodes, edges })
  return { document, nodes, edges }
}

function withGhosts(
  before: WorkflowDocument,
  after: WorkflowDocument,
  marks: Pick<DiffGraph, 'nodes' | 'edges'>,
): WorkflowDocument {
  const gone = Object.entries(before.nodes).filter(([id]) => marks.nodes.get(id) === 'removed')
  let merged = after
  for (const [id, node] of gone) merged = withGhost(merged, { id, node, at: placeOf(before, id) })
  const edges: Record<string, WorkflowEdge> = { ...after.edges }
  for (const [id, edge] of Object.entries(before.edges)) {
    if (marks.edges.get(id) === 'removed') edges[id] = edge
  }
  return { ...merged, edges }
}

/** A ghost stands where it stood, unless something else stands there by now. */
function withGhost(
  document: WorkflowDocument,
  { id, node, at }: { readonly id: string; readonly node: WorkflowNode; readonly at: Point },
): WorkflowDocument {
  // What goes together with its map or loop keeps its place inside of it.
  const place = node.parent === undefined ? freePlace(document, at) : at
  return {
    ...document,
    nodes: { ...document.nodes, [id]: node },
    layout: { ...document.layout, nodes: { ...document.layout?.nodes, [id]: place } },
  }
}
