/** The small moves that several edits share: place, connect, remove. All of them work on an Immer draft. */

import type { Draft } from 'immer'
import { current, isDraft } from 'immer'
import type { EdgeId, NodeId } from '../../src-engine/model/ids.ts'
import type { Place, WorkflowDocument, WorkflowEdge, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { edgeBetween } from '../rules/edges-from.ts'
import type { DocumentDraft } from './edit.ts'
import { freeEdgeId } from './new-ids.ts'
import { leaveScopes } from './saga-scopes.ts'

/** Puts a node on the canvas. */
export function putNode(draft: DocumentDraft, id: NodeId, node: WorkflowNode): void {
  // A WorkflowNode is plain data; Immer's Draft type only takes `readonly` away.
  draft.nodes[id] = node as DocumentDraft['nodes'][NodeId]
}

/** Notes where a node stands; whole pixels keep diffs small. What nobody says of whose place it is stays. */
export function placeNode(draft: DocumentDraft, id: string, at: Place): void {
  draft.layout ??= {}
  draft.layout.nodes ??= {}
  draft.layout.nodes[id] = placed(at, draft.layout.nodes[id])
}

/** A place in whole pixels, by hand when that is said of it, or was and isn't taken back. */
export function placed(at: Place, before: Place | undefined): { x: number; y: number; byHand?: boolean } {
  const [x, y] = [Math.round(at.x), Math.round(at.y)]
  return (at.byHand ?? before?.byHand) === true ? { x, y, byHand: true } : { x, y }
}

/** Notes where a sticky note stands, keeping its size. */
export function placeNote(draft: DocumentDraft, id: string, at: Place): void {
  draft.layout ??= {}
  draft.layout.notes ??= {}
  const { byHand: _, ...before } = draft.layout.notes[id] ?? {}
  draft.layout.notes[id] = { ...before, ...placed(at, draft.layout.notes[id]) }
}

/**
 * A part of the document as it is now, for reading all of it: from a draft itself, each thing that is looked at is
 * wrapped to be written to, which takes longer than the edit when there are thousands.
 */
export function asIs<Part extends object>(part: Part): Part {
  // A copy of a draft has its form.
  return isDraft(part) ? current<Part>(part as Draft<Part>) : part
}

/** Adds an edge unless these ports are connected already. */
export function putEdge(draft: DocumentDraft, edge: WorkflowEdge): void {
  const made = newEdge(asIs<WorkflowDocument['edges']>(draft.edges), edge)
  if (made !== null) draft.edges[made.id] = made.edge
}

/** What is put there for an edge; null when these ports are connected already. */
export function newEdge(
  edges: WorkflowDocument['edges'],
  edge: WorkflowEdge,
): { readonly id: EdgeId; readonly edge: Draft<WorkflowEdge> } | null {
  if (edgeBetween(edges, edge) !== null) return null
  const id = freeEdgeId(edge, { has: (one) => Object.hasOwn(edges, one) })
  return { id, edge: { ...edge, from: { ...edge.from }, to: { ...edge.to } } }
}

/** Takes a node away with its edges, its place and its memberships. */
export function dropNode(draft: DocumentDraft, id: NodeId): void {
  // What was inside stays, one level further out.
  const outer = draft.nodes[id]?.parent
  for (const [key, { parent }] of Object.entries(asIs(draft.nodes))) {
    const node = parent === id ? draft.nodes[key as NodeId] : undefined
    if (node === undefined) continue
    if (outer === undefined) delete node.parent
    else node.parent = outer
  }
  delete draft.nodes[id]
  for (const [key, edge] of Object.entries(asIs(draft.edges))) {
    if (edge.from.node === id || edge.to.node === id) delete draft.edges[key as keyof typeof draft.edges]
  }
  if (draft.layout?.nodes !== undefined) delete draft.layout.nodes[id]
  leaveScopes(draft, new Set([id]))
  for (const frame of Object.values(draft.frames ?? {}))
    frame.nodes = frame.nodes.filter((member) => member !== id)
}

/** The edges that lead to a node and those that leave it. */
export function edgesAround(draft: DocumentDraft, id: NodeId) {
  const edges = Object.values(asIs(draft.edges))
  return {
    into: edges.filter((edge) => edge.to.node === id),
    outOf: edges.filter((edge) => edge.from.node === id),
  }
}
