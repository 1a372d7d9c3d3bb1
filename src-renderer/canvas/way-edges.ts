/** From the edges of the document to those of React Flow. An edit looks at the edges alone that it changes. */

import type { Edge } from '@xyflow/react'
import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { changesOf } from '../rules/changes.ts'
import { guardOf } from '../rules/edge-guard.ts'
import type { Hidden } from '../rules/frames.ts'
import { hiddenBy } from '../rules/frames.ts'
import type { Selection } from '../state/view-store.ts'
import { frameFlowId } from './flow-ids.ts'
import { sameKey } from './remembering.ts'
import type { UndoFlowEdge } from './saga-flow.ts'
import { undoEdges } from './saga-flow.ts'

export interface FlowEdgeData extends Record<string, unknown> {
  readonly fromPort: string
  /** The steps that it leads between, also where a collapsed frame stands for one. */
  readonly from: string
  readonly to: string
  readonly label: string | null
  /** The condition it is taken under; null for none. */
  readonly guard: string | null
  readonly isReadOnly: boolean
}

export type WayEdge = Edge<FlowEdgeData, 'flow'>

/** What edges are drawn by. */
export interface EdgeInput {
  readonly document: WorkflowDocument
  readonly selection: Selection
  readonly isReadOnly: boolean
}

/** Makes the edges of one document after the other; those that show what they showed are the same objects. */
export function createEdges(): (input: EdgeInput) => (WayEdge | UndoFlowEdge)[] {
  const make = createWays()
  return (input) => {
    const hidden = hiddenBy(input.document)
    const undoing = undoEdges(input).filter(
      ({ source, target }) => !hidden.nodes.has(source) && !hidden.nodes.has(target),
    )
    return [...undoing, ...make(input, hidden)]
  }
}

type Cache = Map<string, { readonly key: readonly unknown[]; readonly flow: WayEdge }>

function createWays() {
  const cache: Cache = new Map()
  /** By edge, in the order of the document; null for one that leads from nowhere or to nowhere. */
  let ways = new Map<string, WayEdge | null>()
  let last: EdgeInput | null = null
  return (input: EdgeInput, hidden: Hidden): readonly WayEdge[] => {
    if (hidden.nodes.size > 0) {
      // Of several edges between two frames one is drawn: none can be looked at by itself.
      last = null
      return besideFrames(input, cache, hidden)
    }
    const look = looker(input, cache)
    const changed = last === null ? null : changedWays(last, input)
    last = input
    if (changed === null) {
      ways = new Map(Object.entries(input.document.edges).map(([id, edge]) => [id, look(id, edge)]))
    } else {
      for (const id of changed.gone) ways.delete(id)
      for (const id of changed.put) {
        const edge = edgeIn(input, id)
        if (edge !== undefined) ways.set(id, look(id, edge))
      }
    }
    return [...ways.values()].filter((way) => way !== null)
  }
}

const edgeIn = ({ document }: EdgeInput, id: string): WorkflowEdge | undefined =>
  (document.edges as Readonly<Record<string, WorkflowEdge>>)[id]

/** The edges that may look otherwise than before; null where all are to be looked at. */
function changedWays(
  before: EdgeInput,
  now: EdgeInput,
): { readonly put: ReadonlySet<string>; readonly gone: readonly string[] } | null {
  if (before.isReadOnly !== now.isReadOnly) return null
  const { put, gone, isInOrder } = changesOf(before.document.edges, now.document.edges)
  if (!isInOrder) return null
  const selection = [before.selection.edges, now.selection.edges]
  const turned = selection.flatMap((ids, at) => {
    const others = new Set<string>(selection[1 - at])
    return ids.filter((id) => !others.has(id))
  })
  return { put: new Set([...put, ...turned, ...besideNodes(before, now)]), gone }
}

/** The edges of steps that came, went or changed: they have guards, and are drawn between steps that are there. */
function besideNodes({ document: before }: EdgeInput, { document: now }: EdgeInput): readonly string[] {
  if (before.nodes === now.nodes) return []
  const { put, gone } = changesOf(before.nodes, now.nodes)
  const touched = new Set<string>([...put, ...gone])
  return Object.entries(now.edges).flatMap(([id, { from, to }]) =>
    touched.has(from.node) || touched.has(to.node) ? id : [],
  )
}

/** Looks at one edge after the other of a document of which nothing is out of sight. */
function looker(input: EdgeInput, cache: Cache): (id: string, edge: WorkflowEdge) => WayEdge | null {
  const { nodes } = input.document
  const selected = new Set<string>(input.selection.edges)
  return (id, edge) => {
    if (nodes[edge.from.node] === undefined || nodes[edge.to.node] === undefined) return null
    // Nothing is drawn from a step to itself.
    if (edge.from.node === edge.to.node) return null
    const own = { id, edge, source: edge.from, target: edge.to, isSelected: selected.has(id) }
    return wayEdge(input, cache, own)
  }
}

function besideFrames(input: EdgeInput, cache: Cache, hidden: Hidden): readonly WayEdge[] {
  const selected = new Set<string>(input.selection.edges)
  const shown = new Set<string>()
  return Object.entries(input.document.edges).flatMap(([id, edge]) => {
    const { nodes } = input.document
    if (nodes[edge.from.node] === undefined || nodes[edge.to.node] === undefined) return []
    const [source, target] = [endOf(edge.from, hidden, 'out'), endOf(edge.to, hidden, 'in')]
    // Within a collapsed frame nothing is drawn, and between two cards one line is enough.
    if (source.node === target.node) return []
    if (source.node !== edge.from.node || target.node !== edge.to.node) {
      const ends = `${source.node} ${source.port} ${target.node}`
      if (shown.has(ends)) return []
      shown.add(ends)
    }
    return wayEdge(input, cache, { id, edge, source, target, isSelected: selected.has(id) })
  })
}

type End = Pick<WorkflowEdge['from'], 'port'> & { readonly node: string }

/** The port that an edge is drawn to: a collapsed frame has one on each side. */
function endOf(end: WorkflowEdge['from'], hidden: Hidden, port: 'in' | 'out'): End {
  const frame = hidden.nodes.get(end.node)
  return frame === undefined ? end : { node: frameFlowId(frame), port }
}

function wayEdge(
  { document, isReadOnly }: EdgeInput,
  cache: Cache,
  of: {
    readonly id: string
    readonly edge: WorkflowEdge
    readonly source: End
    readonly target: End
    readonly isSelected: boolean
  },
): WayEdge {
  const { id, edge, source, target, isSelected } = of
  const guard = guardOf(document, edge)
  const key = [edge, isSelected, isReadOnly, source.node, target.node, guard]
  const known = cache.get(id)
  if (known !== undefined && sameKey(known.key, key)) return known.flow
  const flow: WayEdge = {
    id,
    type: 'flow',
    source: source.node,
    sourceHandle: source.port,
    target: target.node,
    targetHandle: target.port,
    selected: isSelected,
    data: {
      fromPort: edge.from.port,
      from: edge.from.node,
      to: edge.to.node,
      label: edge.label ?? null,
      guard,
      isReadOnly,
    },
    ariaLabel: `Edge from ${edge.from.node} to ${edge.to.node}`,
  }
  cache.set(id, { key, flow })
  return flow
}
