/** Remove nodes, edges and notes; or remove nodes and heal the gap they leave. */

import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import { undoneBy } from '../rules/compensation.ts'
import { dropNode, edgesAround, putEdge } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'
import { dropFrames } from './frames.ts'
import { dropScopes } from './saga-scopes.ts'
import { dropTrigger } from './triggers.ts'

export interface Elements {
  readonly nodes: readonly NodeId[]
  readonly edges: readonly EdgeId[]
  readonly notes: readonly string[]
  /** Groups of nodes that are undone together; their nodes stay. */
  readonly scopes?: readonly string[]
  /** Frames; what is in them stays. */
  readonly frames?: readonly string[]
  readonly triggers?: readonly string[]
}

/** Takes the elements away, nodes with all their edges. */
export function removeElements(elements: Elements): Edit {
  return singleEdit(labelOf(elements), (draft) => drop(draft, elements))
}

/** The same, but what led to a removed node then leads to what came after it. */
export function removeAndHeal(elements: Elements): Edit {
  return singleEdit(`${labelOf(elements)} and heal`, (draft) => {
    for (const id of elements.nodes) healAround(draft, id)
    drop(draft, elements)
  })
}

/** Heals where there is only one way to: a node in a chain. Where several ways meet, the gap stays. */
export function removeFromChain(elements: Elements): Edit {
  return singleEdit(labelOf(elements), (draft) => {
    for (const id of elements.nodes) {
      const { into, outOf } = edgesAround(draft, id)
      if (into.length === 1 && outOf.length === 1) healAround(draft, id)
      dropNode(draft, id)
    }
    drop(draft, { ...elements, nodes: [] })
  })
}

function healAround(draft: DocumentDraft, id: NodeId): void {
  const { into, outOf } = edgesAround(draft, id)
  for (const first of into) {
    for (const second of outOf) {
      if (second.from.port === 'error' || first.from.node === second.to.node) continue
      putEdge(draft, { from: { ...first.from }, to: { ...second.to } })
    }
  }
  dropNode(draft, id)
}

function drop(draft: DocumentDraft, elements: Elements): void {
  for (const id of elements.nodes) dropNode(draft, id)
  for (const id of elements.edges) {
    const undone = undoneBy(id)
    if (undone === null) delete draft.edges[id]
    else delete draft.nodes[undone]?.compensation
  }
  dropScopes(draft, elements.scopes ?? [])
  dropFrames(draft, elements.frames ?? [])
  for (const id of elements.triggers ?? []) dropTrigger(draft, id)
  for (const id of elements.notes) {
    if (draft.notes !== undefined) delete draft.notes[id]
    if (draft.layout?.notes !== undefined) delete draft.layout.notes[id]
    for (const frame of Object.values(draft.frames ?? {})) {
      if (frame.notes !== undefined) frame.notes = frame.notes.filter((note) => note !== id)
    }
  }
}

function labelOf({ nodes, edges, notes, scopes = [], frames = [], triggers = [] }: Elements): string {
  const others = notes.length + scopes.length + frames.length + triggers.length
  const count = nodes.length + edges.length + others
  if (count === 1 && frames.length === 1) return 'Remove frame'
  if (count === 1 && scopes.length === 1) return 'Ungroup'
  if (count === 1 && triggers.length === 1) return 'Remove trigger'
  if (count !== 1) return `Delete ${count} elements`
  if (nodes.length === 1) return 'Delete node'
  return edges.length === 1 ? 'Delete edge' : 'Delete note'
}
