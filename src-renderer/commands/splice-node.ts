/** Put a node that is already there into the middle of an edge. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import type { Point } from '../../src-engine/model/workflow.ts'
import { inputPort } from '../../src-engine/model/workflow.ts'
import { placeNode, putEdge } from './draft-parts.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'
import { makeRoom } from './make-room.ts'

/** Moves the node to where it was dropped and leads the edge through it, as one step. */
export function spliceNode(at: {
  readonly node: NodeId
  readonly outPort: string
  readonly edge: EdgeId
  readonly position: Point
}): Edit {
  return singleEdit('Insert into edge', (draft) => {
    const edge = draft.edges[at.edge]
    const node = draft.nodes[at.node]
    if (edge === undefined || node === undefined) return
    delete draft.edges[at.edge]
    const parent = draft.nodes[edge.from.node]?.parent
    if (parent === undefined) delete node.parent
    else node.parent = parent
    placeNode(draft, at.node, at.position)
    putEdge(draft, { from: { ...edge.from }, to: { node: at.node, port: inputPort } })
    putEdge(draft, { from: { node: at.node, port: at.outPort }, to: { ...edge.to } })
    makeRoom(draft, { from: edge.from.node, id: at.node, to: edge.to.node })
  })
}
