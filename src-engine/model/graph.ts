/**
 * The graph of a document: indexes, order, cycles, reachability. Every function is linear in nodes + edges
 * and none recurses, so a drawing of any depth is safe. Edges with an end that isn't there are left out.
 */

import type { EdgeId, NodeId } from './ids.ts'
import { assert } from './result.ts'
import type { WorkflowDocument, WorkflowEdge } from './workflow.ts'

export interface GraphEdge {
  readonly id: EdgeId
  readonly from: NodeId
  readonly fromPort: string
  readonly to: NodeId
  readonly toPort: string
}

export interface WorkflowGraph {
  /** In the order of the document's keys. */
  readonly nodeIds: readonly NodeId[]
  readonly edges: readonly GraphEdge[]
  readonly outgoing: ReadonlyMap<NodeId, readonly GraphEdge[]>
  readonly incoming: ReadonlyMap<NodeId, readonly GraphEdge[]>
  /** Ways out by `portKey(node, port)`. */
  readonly outgoingByPort: ReadonlyMap<string, readonly GraphEdge[]>
}

const noEdges: readonly GraphEdge[] = []

/** Indexes a document's nodes and edges. */
export function buildGraph(document: Pick<WorkflowDocument, 'nodes' | 'edges'>): WorkflowGraph {
  // Keys of these records are ids by the document's schema.
  const nodeIds = Object.keys(document.nodes) as NodeId[]
  const outgoing = new Map<NodeId, GraphEdge[]>(nodeIds.map((id) => [id, []]))
  const incoming = new Map<NodeId, GraphEdge[]>(nodeIds.map((id) => [id, []]))
  const outgoingByPort = new Map<string, GraphEdge[]>()
  const edges: GraphEdge[] = []
  for (const [id, { from, to }] of Object.entries(document.edges) as [EdgeId, WorkflowEdge][]) {
    const out = outgoing.get(from.node)
    const into = incoming.get(to.node)
    if (out === undefined || into === undefined) continue
    const edge: GraphEdge = { id, from: from.node, fromPort: from.port, to: to.node, toPort: to.port }
    edges.push(edge)
    out.push(edge)
    into.push(edge)
    const key = portKey(from.node, from.port)
    const ofPort = outgoingByPort.get(key)
    if (ofPort === undefined) outgoingByPort.set(key, [edge])
    else ofPort.push(edge)
  }
  return { nodeIds, edges, outgoing, incoming, outgoingByPort }
}

/** The key of a port in `outgoingByPort`. Ids hold no slash. */
function portKey(node: NodeId, port: string): string {
  return `${node}/${port}`
}

/** The edges that leave a node. */
export function edgesFrom(graph: WorkflowGraph, node: NodeId): readonly GraphEdge[] {
  return graph.outgoing.get(node) ?? noEdges
}

/** The edges that leave a node by one port. */
export function edgesFromPort(graph: WorkflowGraph, node: NodeId, port: string): readonly GraphEdge[] {
  return graph.outgoingByPort.get(portKey(node, port)) ?? noEdges
}

/** The edges that enter a node. */
export function edgesInto(graph: WorkflowGraph, node: NodeId): readonly GraphEdge[] {
  return graph.incoming.get(node) ?? noEdges
}

/** Nodes that nothing leads to: where a run begins. */
export function startNodes(graph: WorkflowGraph): readonly NodeId[] {
  return graph.nodeIds.filter((node) => edgesInto(graph, node).length === 0)
}

/** Nodes that lead nowhere: whose outputs are the run's. */
export function endNodes(graph: WorkflowGraph): readonly NodeId[] {
  return graph.nodeIds.filter((node) => edgesFrom(graph, node).length === 0)
}

/** Every node after all that lead to it, in document order where free; null when there is a cycle. */
export function topologicalOrder(graph: WorkflowGraph): readonly NodeId[] | null {
  const left = new Map(graph.nodeIds.map((node) => [node, edgesInto(graph, node).length]))
  const order: NodeId[] = [...startNodes(graph)]
  for (let index = 0; index < order.length; index += 1) {
    const node = order[index]
    assert(node !== undefined, 'the index is inside the list')
    for (const edge of edgesFrom(graph, node)) {
      const count = (left.get(edge.to) ?? 0) - 1
      left.set(edge.to, count)
      if (count === 0) order.push(edge.to)
    }
  }
  return order.length === graph.nodeIds.length ? order : null
}

/** Everything that can be reached along the edges, the starts included. */
export function reachableFrom(graph: WorkflowGraph, starts: Iterable<NodeId>): ReadonlySet<NodeId> {
  return spread(starts, (node) => edgesFrom(graph, node).map((edge) => edge.to))
}

/** Everything that leads to a node; the node itself only when it stands in a cycle. */
export function ancestorsOf(graph: WorkflowGraph, node: NodeId): ReadonlySet<NodeId> {
  const parents = (of: NodeId): readonly NodeId[] => edgesInto(graph, of).map((edge) => edge.from)
  return spread(parents(node), parents)
}

function spread(starts: Iterable<NodeId>, next: (node: NodeId) => readonly NodeId[]): ReadonlySet<NodeId> {
  const reached = new Set<NodeId>(starts)
  const open = [...reached]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbour of next(node)) {
      if (reached.has(neighbour)) continue
      reached.add(neighbour)
      open.push(neighbour)
    }
  }
  return reached
}
