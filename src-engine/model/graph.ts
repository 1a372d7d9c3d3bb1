/**
 * The graph of a document: indexes, order, cycles, reachability. Every function is linear in nodes + edges
 * and none recurses, so a drawing of any depth is safe. Edges with an end that isn't there are left out.
 */

import type { EdgeId, NodeId } from './ids.ts'
import { assert } from './result.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode } from './workflow.ts'

export interface GraphEdge {
  readonly id: EdgeId
  readonly from: NodeId
  readonly fromPort: string
  readonly to: NodeId
  readonly toPort: string
  /** The nodes at its ends: who follows many edges needn't look for them by id. */
  readonly source: GraphNode
  readonly target: GraphNode
}

export interface GraphNode {
  readonly id: NodeId
  readonly node: WorkflowNode
  /** Place in the order of the document's keys. */
  readonly index: number
  readonly outgoing: readonly GraphEdge[]
  readonly incoming: readonly GraphEdge[]
}

/** What a document has, by id. Going through a large record is dear, so it is done once. */
export interface DocumentEntries {
  readonly drawnNodes: readonly (readonly [NodeId, WorkflowNode])[]
  /** Also those without an end. */
  readonly drawnEdges: readonly (readonly [EdgeId, WorkflowEdge])[]
}

export interface WorkflowGraph extends DocumentEntries {
  /** In the order of the document's keys. */
  readonly nodes: readonly GraphNode[]
  readonly nodeIds: readonly NodeId[]
  readonly edges: readonly GraphEdge[]
  /** By id; looking for a text that is no id is safe. */
  readonly nodeById: ReadonlyMap<string, GraphNode>
}

interface BuildingNode extends GraphNode {
  outgoing: GraphEdge[]
  incoming: GraphEdge[]
}

/** Most nodes of a large graph have few edges, so lists are made when they are needed. */
const noEdges: GraphEdge[] = []

/** Nodes and edges in the order of the document's keys. */
export function entriesOf(document: Pick<WorkflowDocument, 'nodes' | 'edges'>): DocumentEntries {
  // Keys of these records are ids by the document's schema.
  return {
    drawnNodes: Object.entries(document.nodes) as [NodeId, WorkflowNode][],
    drawnEdges: Object.entries(document.edges) as [EdgeId, WorkflowEdge][],
  }
}

/** Indexes a document's nodes and edges. */
export function buildGraph(document: Pick<WorkflowDocument, 'nodes' | 'edges'>): WorkflowGraph {
  const nodes: BuildingNode[] = []
  const nodeById = new Map<string, BuildingNode>()
  const { drawnNodes, drawnEdges } = entriesOf(document)
  for (const [id, node] of drawnNodes) {
    const known = { id, node, index: nodes.length, outgoing: noEdges, incoming: noEdges }
    nodes.push(known)
    nodeById.set(id, known)
  }
  const edges: GraphEdge[] = []
  for (const [id, { from, to }] of drawnEdges) {
    const source = nodeById.get(from.node)
    const target = nodeById.get(to.node)
    if (source === undefined || target === undefined) continue
    const ends = { from: source.id, fromPort: from.port, to: target.id, toPort: to.port }
    const edge: GraphEdge = { id, ...ends, source, target }
    edges.push(edge)
    if (source.outgoing === noEdges) source.outgoing = [edge]
    else source.outgoing.push(edge)
    if (target.incoming === noEdges) target.incoming = [edge]
    else target.incoming.push(edge)
  }
  return { nodes, nodeIds: nodes.map(({ id }) => id), edges, nodeById, drawnNodes, drawnEdges }
}

/** The edges that leave a node. */
export function edgesFrom(graph: WorkflowGraph, node: NodeId): readonly GraphEdge[] {
  return graph.nodeById.get(node)?.outgoing ?? noEdges
}

/** The edges that leave a node by one port. */
export function edgesFromPort(graph: WorkflowGraph, node: NodeId, port: string): readonly GraphEdge[] {
  return edgesFrom(graph, node).filter((edge) => edge.fromPort === port)
}

/** The edges that enter a node. */
export function edgesInto(graph: WorkflowGraph, node: NodeId): readonly GraphEdge[] {
  return graph.nodeById.get(node)?.incoming ?? noEdges
}

/** Nodes that nothing leads to: where a run begins. */
export function startNodes(graph: WorkflowGraph): readonly NodeId[] {
  return graph.nodes.filter(({ incoming }) => incoming.length === 0).map(({ id }) => id)
}

/** Nodes that lead nowhere: whose outputs are the run's. */
export function endNodes(graph: WorkflowGraph): readonly NodeId[] {
  return graph.nodes.filter(({ outgoing }) => outgoing.length === 0).map(({ id }) => id)
}

/** Every node after all that lead to it, in document order where free; null when there is a cycle. */
export function topologicalOrder(graph: WorkflowGraph): readonly NodeId[] | null {
  const left = graph.nodes.map(({ incoming }) => incoming.length)
  const order = graph.nodes.filter(({ incoming }) => incoming.length === 0)
  for (let place = 0; place < order.length; place += 1) {
    const node = order[place]
    assert(node !== undefined, 'the place is inside the list')
    for (const { target } of node.outgoing) {
      const count = (left[target.index] ?? 0) - 1
      left[target.index] = count
      if (count === 0) order.push(target)
    }
  }
  return order.length === graph.nodes.length ? order.map(({ id }) => id) : null
}

/** Everything that can be reached along the edges, the starts included. */
export function reachableFrom(graph: WorkflowGraph, starts: Iterable<NodeId>): ReadonlySet<NodeId> {
  return spread(graph, starts, ({ outgoing }) => outgoing.map(({ target }) => target))
}

/** Everything that leads to a node; the node itself only when it stands in a cycle. */
export function ancestorsOf(graph: WorkflowGraph, node: NodeId): ReadonlySet<NodeId> {
  const parents = edgesInto(graph, node).map((edge) => edge.from)
  return spread(graph, parents, ({ incoming }) => incoming.map(({ source }) => source))
}

function spread(
  graph: WorkflowGraph,
  starts: Iterable<NodeId>,
  next: (node: GraphNode) => readonly GraphNode[],
): ReadonlySet<NodeId> {
  const reached = new Set<NodeId>(starts)
  const open = [...reached].flatMap((id) => graph.nodeById.get(id) ?? [])
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbour of next(node)) {
      if (reached.has(neighbour.id)) continue
      reached.add(neighbour.id)
      open.push(neighbour)
    }
  }
  return reached
}
