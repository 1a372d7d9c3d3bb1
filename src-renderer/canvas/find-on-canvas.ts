/** Finding on the canvas: in titles, ids, kinds, parameters, notes, labels. Pure. */

import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { Selection } from '../state/view-store.ts'
import { placeOf } from './geometry.ts'

export interface Hit {
  readonly kind: keyof Selection
  readonly id: string
  /** In the order in which people read: rows of cards from the left. */
  readonly x: number
  readonly y: number
}

/** Everything that holds all the words, from left to right. */
export function findOnCanvas(document: WorkflowDocument, query: string, specs: SpecsByKind): readonly Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const nodes = Object.entries(document.nodes)
    .filter(([id, node]) => fits(textOfNode(id, node, specs)))
    .map(([id]) => ({ kind: 'nodes' as const, id, ...placeOf(document, id) }))
  const notes = Object.entries(document.notes ?? {})
    .filter(([, note]) => fits(note.text))
    .map(([id]) => ({ kind: 'notes' as const, id, ...pointOf(document.layout?.notes?.[id]) }))
  const edges = Object.entries(document.edges)
    .filter(([, { label }]) => label !== undefined && fits(label))
    .map(([id, { from }]) => ({ kind: 'edges' as const, id, ...placeOf(document, from.node) }))
  return [...nodes, ...notes, ...edges].toSorted((left, right) => left.x - right.x || left.y - right.y)
}

function textOfNode(id: string, node: WorkflowNode, specs: SpecsByKind): string {
  const values = node.parameters === undefined ? '' : JSON.stringify(node.parameters)
  const { title = '', note = '', tags = [], kind } = node
  return [title, id, kind, specs.get(kind)?.title ?? '', note, tags.join(' '), values].join('\n')
}

const pointOf = (at: { readonly x: number; readonly y: number } | undefined) => ({
  x: at?.x ?? 0,
  y: at?.y ?? 0,
})
