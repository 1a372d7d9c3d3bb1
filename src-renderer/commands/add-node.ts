/** Add a node; with a connection to what it was added from, or in the middle of an edge. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { inputPort } from '../../src-engine/model/workflow.ts'
import { linkUndo } from './compensation.ts'
import { placeNode, putEdge, putNode } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'
import { makeRoom } from './make-room.ts'

export interface NewNode {
  readonly id: NodeId
  readonly node: WorkflowNode
  readonly at: Point
  /** For the undo menu. */
  readonly title: string
  /** The port on which the new node hands on; null for a kind without one. */
  readonly outPort: string | null
  readonly hasInput: boolean
}

/** Where a new node is tied in. */
export type Attachment =
  | { readonly kind: 'none' }
  /** An edge from that port to the new node. */
  | { readonly kind: 'after'; readonly from: { readonly node: NodeId; readonly port: string } }
  /** An edge from the new node to that one. */
  | { readonly kind: 'before'; readonly to: { readonly node: NodeId; readonly port: string } }
  /** In the middle of an edge. */
  | { readonly kind: 'splice'; readonly edge: EdgeId }
  /** Beside the way forward: it undoes that node. */
  | { readonly kind: 'undo'; readonly of: NodeId }

/** The new node, tied in, as one step. */
export function addNode(added: NewNode, attachment: Attachment = { kind: 'none' }): Edit {
  return singleEdit(`Add ${added.title}`, (draft) => {
    putNode(draft, added.id, withParent(added.node, parentFor(draft, attachment)))
    placeNode(draft, added.id, added.at)
    if (attachment.kind === 'undo') linkUndo(draft, attachment.of, added.id)
    const input = { node: added.id, port: inputPort }
    const output = added.outPort === null ? null : { node: added.id, port: added.outPort }
    if (attachment.kind === 'after' && added.hasInput) putEdge(draft, { from: attachment.from, to: input })
    if (attachment.kind === 'before' && output !== null) putEdge(draft, { from: output, to: attachment.to })
    if (attachment.kind !== 'splice' || !added.hasInput) return
    const edge = draft.edges[attachment.edge]
    if (edge === undefined) return
    delete draft.edges[attachment.edge]
    putEdge(draft, { from: { ...edge.from }, to: input })
    if (output === null) return
    putEdge(draft, { from: output, to: { ...edge.to } })
    makeRoom(draft, { from: edge.from.node, id: added.id, to: edge.to.node })
  })
}

/** What it is tied to decides the body that it becomes part of; undefined when it is tied to nothing. */
function parentFor(draft: DocumentDraft, attachment: Attachment): NodeId | null | undefined {
  switch (attachment.kind) {
    case 'undo':
      return draft.nodes[attachment.of]?.parent ?? null
    case 'after':
      return draft.nodes[attachment.from.node]?.parent ?? null
    case 'before':
      return draft.nodes[attachment.to.node]?.parent ?? null
    case 'splice': {
      const edge = draft.edges[attachment.edge]
      return edge === undefined ? undefined : (draft.nodes[edge.from.node]?.parent ?? null)
    }
    default:
      return undefined
  }
}

function withParent(node: WorkflowNode, parent: NodeId | null | undefined): WorkflowNode {
  if (parent === undefined) return node
  const { parent: _own, ...rest } = node
  return parent === null ? rest : { ...rest, parent }
}
