/**
 * What the layout places, as a tree: cards, and the boxes around some of them (bodies of maps and loops, frames, groups
 * that are undone together). Ids are those of the canvas. Pure.
 */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { PortSpec } from '../../../src-engine/model/task-spec.ts'
import type { Place, WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { errorPort, inputPort } from '../../../src-engine/model/workflow.ts'
import { isContainer } from '../../rules/bodies.ts'
import { undoPort } from '../../rules/compensation.ts'
import type { SpecsByKind } from '../../rules/connection.ts'
import type { Hidden } from '../../rules/frames.ts'
import { framesAround, hiddenBy } from '../../rules/frames.ts'
import { bodyPadding, boxOf, emptyBody } from '../container-box.ts'
import type { Box } from '../fit.ts'
import { frameFlowId, noteFlowId, scopeFlowId } from '../flow-ids.ts'
import { boxAt, collapsedSize, frameBox, framePadding } from '../frame-box.ts'
import { cardSize, noteSize, placeOf, portsOf, portTops } from '../geometry.ts'
import { scopeBox, scopePadding } from '../scope-box.ts'

/** Where an edge may begin or end; in the order in which they are drawn. */
export interface LayoutPort {
  readonly id: string
  readonly side: 'WEST' | 'EAST' | 'SOUTH'
  readonly x: number
  readonly y: number
}

export interface LayoutItem {
  readonly id: string
  /** Where it is drawn now. */
  readonly box: Box
  /** Whether a person put it there. */
  readonly isHeld: boolean
  readonly ports: readonly LayoutPort[]
  /** What it goes around; null for a card. */
  readonly inside: readonly LayoutItem[] | null
  readonly padding: Padding
  /** The border that a box keeps where a person put it there, whatever is in it; null for cards and groups. */
  readonly least: Box | null
}

export interface Padding {
  readonly side: number
  readonly top: number
  readonly bottom: number
}

export interface LayoutEdge {
  readonly id: string
  readonly from: { readonly item: string; readonly port: string }
  readonly to: { readonly item: string; readonly port: string }
}

export interface LayoutTree {
  readonly items: readonly LayoutItem[]
  readonly edges: readonly LayoutEdge[]
}

interface Reading {
  readonly document: WorkflowDocument
  readonly specs: SpecsByKind
  readonly hidden: Hidden
  /** Whether what was put somewhere by hand is placed anew as well. */
  readonly all: boolean
  readonly byParent: ReadonlyMap<NodeId | null, readonly NodeId[]>
  readonly usedPorts: ReadonlyMap<string, readonly string[]>
}

const nothing = { padding: { side: 0, top: 0, bottom: 0 }, least: null } as const

/** The tree of a document. Notes outside of frames are no part of it: they stay where they are. */
export function layoutTree(
  document: WorkflowDocument,
  options: { readonly specs: SpecsByKind; readonly all: boolean },
): LayoutTree {
  const hidden = hiddenBy(document)
  const ids = Object.keys(document.nodes) as NodeId[]
  const reading: Reading = {
    document,
    ...options,
    hidden,
    byParent: Map.groupBy(ids, (id) => reachableParent(document, id)),
    usedPorts: usedPorts(document),
  }
  return { items: onCanvas(reading), edges: edgesOf(reading) }
}

function usedPorts({ edges }: WorkflowDocument): ReadonlyMap<string, readonly string[]> {
  const used = new Map<string, string[]>()
  for (const { from } of Object.values(edges))
    used.set(from.node, [...(used.get(from.node) ?? []), from.port])
  return used
}

/** The body that a node is drawn in; null for the canvas, and for circles of a document from elsewhere. */
function reachableParent(document: WorkflowDocument, id: NodeId): NodeId | null {
  const seen = new Set<NodeId>([id])
  const first = document.nodes[id]?.parent
  for (let at = first; at !== undefined; at = document.nodes[at]?.parent) {
    if (seen.has(at)) return null
    if (!isContainer(document.nodes[at])) return null
    seen.add(at)
  }
  return first ?? null
}

/** What stands on the canvas itself, in its frames. */
function onCanvas(reading: Reading): readonly LayoutItem[] {
  const { document, hidden } = reading
  const loose = (reading.byParent.get(null) ?? []).filter((id) => !hidden.nodes.has(id))
  const framed = new Map<NodeId, string>()
  const frames = Object.entries(document.frames ?? {}).filter(([id]) => !hidden.frames.has(id))
  const known = new Set(loose)
  for (const [id, frame] of frames)
    for (const node of frame.nodes) if (known.has(node) && !framed.has(node)) framed.set(node, id)
  const inner = Map.groupBy(
    frames.map(([id]) => id),
    (id) => {
      const around = framesAround(document, id)
      // A document from elsewhere may have a circle.
      return around.some((one) => framesAround(document, one).includes(id)) ? null : (around[0] ?? null)
    },
  )
  const members = Map.groupBy(loose, (id) => framed.get(id) ?? null)
  const level = (frame: string | null): readonly LayoutItem[] => [
    ...(inner.get(frame) ?? []).map((id) => frameItem(reading, id, level)),
    ...grouped(reading, members.get(frame) ?? []),
  ]
  return level(null)
}

function frameItem(
  reading: Reading,
  id: string,
  level: (frame: string) => readonly LayoutItem[],
): LayoutItem {
  const { document, specs, all } = reading
  const layout = document.layout?.frames?.[id]
  const isHeld = !all && layout?.byHand === true
  const box = frameBox(document, id, specs)
  const common = { id: frameFlowId(id), box, isHeld }
  if (layout?.collapsed === true)
    return {
      ...common,
      ports: sidePorts(collapsedSize.width, collapsedSize.height),
      inside: null,
      ...nothing,
    }
  const notes = (document.frames?.[id]?.notes ?? []).flatMap((note): readonly LayoutItem[] => {
    const at = document.layout?.notes?.[note]
    if (at === undefined || document.notes?.[note] === undefined) return []
    const { byHand, ...place } = at
    const own = { id: noteFlowId(note), box: { ...noteSize, ...place }, isHeld: !all && byHand === true }
    return [{ ...own, ports: [], inside: null, ...nothing }]
  })
  const inside = [...level(id), ...notes]
  return inside.length === 0
    ? { ...common, ports: [], inside: null, ...nothing }
    : {
        ...common,
        ports: [],
        inside,
        padding: framePadding,
        least: layout === undefined ? null : boxAt(layout),
      }
}

/** The nodes of one level; those that are undone together in a box where all of them are here. */
function grouped(reading: Reading, ids: readonly NodeId[]): readonly LayoutItem[] {
  const { document, specs } = reading
  const here = new Set<string>(ids)
  const scopeOf = new Map<NodeId, string>()
  for (const [id, { nodes }] of Object.entries(document.sagaScopes ?? {})) {
    const there = nodes.filter((node) => document.nodes[node] !== undefined)
    if (there.length > 0 && there.every((node) => here.has(node) && !scopeOf.has(node)))
      for (const node of there) scopeOf.set(node, id)
  }
  const items: LayoutItem[] = []
  const begun = new Set<string>()
  for (const id of ids) {
    const scope = scopeOf.get(id)
    if (scope === undefined) items.push(nodeItem(reading, id))
    if (scope === undefined || begun.has(scope)) continue
    begun.add(scope)
    const nodes = ids.filter((node) => scopeOf.get(node) === scope)
    const box = scopeBox(document, nodes, { specs, dragged: new Map() })
    if (box === null) continue
    const inside = nodes.map((node) => nodeItem(reading, node))
    items.push({
      id: scopeFlowId(scope),
      box,
      isHeld: false,
      ports: [],
      inside,
      ...nothing,
      padding: scopePadding,
    })
  }
  return items
}

function nodeItem(reading: Reading, id: NodeId): LayoutItem {
  const { document, specs, all } = reading
  const node = document.nodes[id]
  const place: Place | undefined = document.layout?.nodes?.[id]
  const ways = node === undefined ? [] : portsOf(node, specs.get(node.kind), reading.usedPorts.get(id))
  const body = isContainer(node) ? (reading.byParent.get(id) ?? []) : []
  const isEmptyBody = isContainer(node) && body.length === 0
  const size = isEmptyBody ? emptyBody : cardSize(ways.length)
  return {
    id,
    box: boxOf(document, id, specs),
    isHeld: !all && place?.byHand === true,
    ports: cardPorts([...ways, ...staleWays(ways, reading.usedPorts.get(id))], size),
    inside: body.length === 0 ? null : grouped(reading, body),
    padding: body.length === 0 ? nothing.padding : bodyPadding,
    least: body.length === 0 ? null : { ...placeOf(document, id), ...cardSize(1) },
  }
}

/** An edge may leave by a port that its step doesn't have any more. */
function staleWays(ways: readonly PortSpec[], used: readonly string[] = []): readonly PortSpec[] {
  const known = new Set([errorPort, ...ways.map(({ id }) => id)])
  return [...new Set(used)].filter((port) => !known.has(port)).map((id) => ({ id, title: id }))
}

/** In the order in which they are drawn, so that what leaves by the first leads to what is on top. */
function cardPorts(
  ways: readonly PortSpec[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly LayoutPort[] {
  const tops = portTops(ways.length)
  return [
    { id: inputPort, side: 'WEST', x: 0, y: portTops(1)[0] ?? 0 },
    ...ways.map(({ id }, index) => ({ id, side: 'EAST' as const, x: width, y: tops[index] ?? 0 })),
    { id: undoPort, side: 'SOUTH', x: 32, y: height },
    { id: errorPort, side: 'SOUTH', x: width - 22, y: height },
  ]
}

const sidePorts = (width: number, height: number): readonly LayoutPort[] => [
  { id: 'in', side: 'WEST', x: 0, y: height / 2 },
  { id: 'out', side: 'EAST', x: width, y: height / 2 },
]

function edgesOf({ document, hidden }: Reading): readonly LayoutEdge[] {
  const ends = ({ node, port }: { readonly node: NodeId; readonly port: string }, side: 'in' | 'out') => {
    const frame = hidden.nodes.get(node)
    return frame === undefined ? { item: node, port } : { item: frameFlowId(frame), port: side }
  }
  const ways = Object.entries(document.edges).map(([id, { from, to }]) => ({
    id,
    from,
    // There is one way in, whatever a document from elsewhere calls it.
    to: { ...to, port: inputPort },
  }))
  const undos = Object.entries(document.nodes).flatMap(([id, { compensation }]) =>
    compensation?.node === undefined
      ? []
      : {
          id: `undo:${id}`,
          from: { node: id as NodeId, port: undoPort },
          to: { node: compensation.node, port: inputPort },
        },
  )
  return [...ways, ...undos].flatMap(({ id, from, to }) => {
    if (document.nodes[from.node] === undefined || document.nodes[to.node] === undefined) return []
    const edge = { id, from: ends(from, 'out'), to: ends(to, 'in') }
    return edge.from.item === edge.to.item ? [] : [edge]
  })
}
