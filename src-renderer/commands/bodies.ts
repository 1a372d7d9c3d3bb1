/** Put nodes into the body of a map or loop, or take them out of it. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { mayEnter } from '../rules/bodies.ts'
import { asIs } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'
import type { Memberships } from './frames.ts'
import { applyMemberships } from './frames.ts'
import type { Moves } from './move.ts'
import { place } from './move.ts'

/** The body that each of some nodes belongs to; null for none. */
export type Parents = Readonly<Record<string, NodeId | null>>

/** Everything stays in its frame. */
const asBefore: Memberships = { nodes: {}, notes: {}, frames: {} }

/** New bodies for nodes; edges that would cross a border go. */
export function setParents(parents: Parents, label = 'Change body'): Edit {
  return singleEdit(label, (draft) => applyParents(draft, parents))
}

/** Moves things and gives them the body and the frame that they were dropped into, as one step. */
export function moveInto(moves: Moves, parents: Parents, memberships = asBefore): Edit {
  const changes = Object.keys(parents).length > 0
  return singleEdit(changes ? 'Move into or out of a body' : 'Move', (draft) => {
    place(draft, moves)
    applyParents(draft, parents)
    applyMemberships(draft, memberships)
  })
}

function applyParents(draft: DocumentDraft, parents: Parents): void {
  // A mere move crosses no border, and there are many edges to look at.
  if (Object.keys(parents).length === 0) return
  for (const [key, parent] of Object.entries(parents)) {
    const id = key as NodeId
    const node = draft.nodes[id]
    if (node === undefined || (node.parent ?? null) === parent) continue
    if (parent === null) delete node.parent
    else if (mayEnter(draft, id, parent)) node.parent = parent
  }
  dropCrossing(draft)
}

/** An edge leads from one step to another of the same body. */
function dropCrossing(draft: DocumentDraft): void {
  const { nodes, edges } = { nodes: asIs(draft.nodes), edges: asIs(draft.edges) }
  for (const [id, { from, to }] of Object.entries(edges)) {
    const [source, target] = [nodes[from.node], nodes[to.node]]
    if (source === undefined || target === undefined || source.parent === target.parent) continue
    delete draft.edges[id as keyof typeof draft.edges]
  }
}
