/** What the canvas draws of undoing: frames around groups, lines to nodes that undo others. Pure. */

import type { Edge, Node } from '@xyflow/react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Point, SagaScope, WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { inputPort } from '../../src-engine/model/workflow.ts'
import type { UndoWay } from '../rules/compensation.ts'
import { hasEffect, undoEdgeId, undoPort, undoWayOf } from '../rules/compensation.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { foundOnce } from '../rules/found-once.ts'
import type { Hidden } from '../rules/frames.ts'
import { hiddenBy } from '../rules/frames.ts'
import type { Selection } from '../state/view-store.ts'
import { fill } from '../text/messages.ts'
import { scopes as scopeWords, undo as words } from '../text/saga-words.ts'
import type { Box } from './fit.ts'
import { scopeFlowId } from './flow-ids.ts'
import { noHandles } from './handles.ts'
import { scopeBox } from './scope-box.ts'

/** What is drawn, and how it is looked at. */
export interface SagaInput {
  readonly document: WorkflowDocument
  readonly selection: Selection
  readonly specs: SpecsByKind
  readonly isReadOnly: boolean
  /** Places of what is being dragged, by id of the flow node. */
  readonly dragged: ReadonlyMap<string, Point>
}

export interface ScopeData extends Record<string, unknown> {
  readonly title: string
  readonly order: NonNullable<SagaScope['order']>
  readonly isReadOnly: boolean
}

export interface UndoEdgeData extends Record<string, unknown> {
  readonly isReadOnly: boolean
}

export type ScopeFlowNode = Node<ScopeData, 'scope'>
export type UndoFlowEdge = Edge<UndoEdgeData, 'undo'>

/** Below the bodies of maps and loops, above the notes. */
const scopesDown = -250

/** The frames of the document's groups. */
export function scopeNodes(input: SagaInput, hidden: Hidden): readonly ScopeFlowNode[] {
  const selected = new Set(input.selection.scopes)
  return Object.entries(input.document.sagaScopes ?? {}).flatMap(([id, { title, order, nodes }]) => {
    const seen = nodes.filter((node) => !hidden.nodes.has(node))
    const box = scopeBox(input.document, seen, input)
    if (box === null) return []
    const { x, y, width, height } = box
    const name = title ?? scopeWords.untitled
    return {
      id: scopeFlowId(id),
      type: 'scope' as const,
      position: { x, y },
      width,
      height,
      measured: { width, height },
      handles: noHandles,
      zIndex: scopesDown,
      selected: selected.has(id),
      draggable: !input.isReadOnly,
      connectable: false,
      ariaLabel: `${scopeWords.title}: ${name}`,
      // What lies under it, the canvas too, takes the pointer; only its title is its own.
      style: { pointerEvents: 'none' as const },
      data: { title: name, order: order ?? 'reverse', isReadOnly: input.isReadOnly },
    }
  })
}

const groupsByNode = foundOnce((scopes: NonNullable<WorkflowDocument['sagaScopes']>) => {
  const groups = new Map<string, Set<string>>()
  for (const [id, { nodes }] of Object.entries(scopes))
    for (const node of nodes) groups.set(node, (groups.get(node) ?? new Set()).add(id))
  return groups
})

/** The frames of the groups that dragged nodes are in, by flow id; no other group is looked at. */
export function draggedScopes(
  input: Pick<SagaInput, 'document' | 'specs' | 'dragged'>,
): ReadonlyMap<string, Box> {
  const { sagaScopes } = input.document
  const boxes = new Map<string, Box>()
  if (sagaScopes === undefined) return boxes
  const hidden = hiddenBy(input.document)
  const groups = groupsByNode(sagaScopes)
  for (const id of new Set([...input.dragged.keys()].flatMap((node) => [...(groups.get(node) ?? [])]))) {
    const seen = sagaScopes[id]?.nodes.filter((node) => !hidden.nodes.has(node)) ?? []
    const box = scopeBox(input.document, seen, input)
    if (box !== null) boxes.set(scopeFlowId(id), box)
  }
  return boxes
}

/** The lines from nodes to those that undo them. */
export function undoEdges(
  input: Pick<SagaInput, 'document' | 'selection' | 'isReadOnly'>,
): readonly UndoFlowEdge[] {
  const selected = new Set<string>(input.selection.edges)
  return undoneByNodes(input.document.nodes).map(([id, by]) => ({
    id: undoEdgeId(id),
    type: 'undo' as const,
    source: id,
    sourceHandle: undoPort,
    target: by,
    targetHandle: inputPort,
    selected: selected.has(undoEdgeId(id)),
    reconnectable: false,
    data: { isReadOnly: input.isReadOnly },
    ariaLabel: `${by} undoes ${id}`,
  }))
}

/** The nodes that another one undoes, each with that one. */
const undoneByNodes = foundOnce(
  (nodes: WorkflowDocument['nodes']): readonly (readonly [of: string, by: NodeId])[] =>
    Object.entries(nodes).flatMap(([id, { compensation }]) => {
      const by = compensation?.node
      return by === undefined || by === id || nodes[by] === undefined ? [] : [[id, by] as const]
    }),
)

/** What a card shows about undoing its node; null where there is nothing to undo. */
export interface UndoMark {
  readonly way: UndoWay
  /** What undoes it, or why nothing can, in a few words. */
  readonly what: string
  /** The same as a sentence. */
  readonly hint: string
}

const marks = new Map<string, UndoMark>()

/** The mark of a node; the same object while it says the same. */
export function undoMarkOf(
  document: WorkflowDocument,
  node: WorkflowNode,
  specs: SpecsByKind,
): UndoMark | null {
  const way = undoWayOf(node.compensation)
  if (way === 'none' && !hasEffect(node, specs)) return null
  const what = whatUndoes(document, { node, way, specs })
  const key = `${way}|${what}`
  const known = marks.get(key)
  if (known !== undefined) return known
  const hint = way === 'none' ? words.port : fill(words.badge[way], { what })
  const mark = { way, what, hint }
  marks.set(key, mark)
  return mark
}

function whatUndoes(
  document: WorkflowDocument,
  of: { readonly node: WorkflowNode; readonly way: UndoWay; readonly specs: SpecsByKind },
): string {
  const { compensation } = of.node
  switch (of.way) {
    case 'none':
      return ''
    case 'impossible':
      return compensation?.impossible ?? ''
    case 'task': {
      const { kind = '', parameters = {} } = compensation?.task ?? {}
      const spec = of.specs.get(kind)
      return spec === undefined ? kind : `${spec.title} ${spec.summary(parameters)}`
    }
    default: {
      const by = document.nodes[compensation?.node ?? ('' as NodeId)]
      return `“${by?.title ?? of.specs.get(by?.kind ?? '')?.title ?? ''}”`
    }
  }
}
