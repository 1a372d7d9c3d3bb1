/** Cycles of a graph: Tarjan's strongly connected components ("Depth-first search …", 1972), iterative. */

import type { WorkflowGraph } from './graph.ts'
import { edgesFrom } from './graph.ts'
import type { NodeId } from './ids.ts'
import { assert } from './result.ts'

/** One cycle of each knot, its nodes in the order of the edges; a node that leads to itself is one, too. */
export function findCycles(graph: WorkflowGraph): readonly (readonly NodeId[])[] {
  const cycles: (readonly NodeId[])[] = []
  for (const component of stronglyConnected(graph)) {
    const [only] = component
    const isLoop = only !== undefined && edgesFrom(graph, only).some((edge) => edge.to === only)
    if (component.length > 1 || isLoop) cycles.push(shortestCycle(graph, component))
  }
  return cycles
}

interface Frame {
  readonly node: NodeId
  /** The next of its edges to look at. */
  edge: number
}

interface Search {
  readonly graph: WorkflowGraph
  /** Order of discovery. */
  readonly indexes: Map<NodeId, number>
  /** The smallest index reachable through the search tree and one edge back. */
  readonly lows: Map<NodeId, number>
  readonly stack: NodeId[]
  readonly onStack: Set<NodeId>
  readonly frames: Frame[]
  readonly components: (readonly NodeId[])[]
}

/** The strongly connected components, the last ones of the flow first. */
export function stronglyConnected(graph: WorkflowGraph): readonly (readonly NodeId[])[] {
  const search: Search = {
    graph,
    indexes: new Map(),
    lows: new Map(),
    stack: [],
    onStack: new Set(),
    frames: [],
    components: [],
  }
  for (const node of graph.nodeIds) {
    if (search.indexes.has(node)) continue
    discover(search, node)
    for (let frame = search.frames.at(-1); frame !== undefined; frame = search.frames.at(-1)) {
      step(search, frame)
    }
  }
  return search.components
}

function discover(search: Search, node: NodeId): void {
  const index = search.indexes.size
  search.indexes.set(node, index)
  search.lows.set(node, index)
  search.stack.push(node)
  search.onStack.add(node)
  search.frames.push({ node, edge: 0 })
}

function step(search: Search, frame: Frame): void {
  const edge = edgesFrom(search.graph, frame.node)[frame.edge]
  if (edge === undefined) {
    leave(search, frame.node)
    return
  }
  frame.edge += 1
  const index = search.indexes.get(edge.to)
  if (index === undefined) discover(search, edge.to)
  else if (search.onStack.has(edge.to)) lower(search, frame.node, index)
}

function leave(search: Search, node: NodeId): void {
  search.frames.pop()
  const low = search.lows.get(node)
  assert(low !== undefined, 'a node on the search path was discovered')
  const parent = search.frames.at(-1)
  if (parent !== undefined) lower(search, parent.node, low)
  if (low !== search.indexes.get(node)) return
  const component: NodeId[] = []
  for (let member = search.stack.pop(); member !== undefined; member = search.stack.pop()) {
    search.onStack.delete(member)
    component.push(member)
    if (member === node) break
  }
  search.components.push(component.reverse())
}

function lower(search: Search, node: NodeId, low: number): void {
  const own = search.lows.get(node)
  if (own === undefined || low < own) search.lows.set(node, low)
}

/** The shortest way from the component's first node back to it. */
function shortestCycle(graph: WorkflowGraph, component: readonly NodeId[]): readonly NodeId[] {
  const [start] = component
  assert(start !== undefined, 'a component has a node')
  const members = new Set(component)
  const cameFrom = new Map<NodeId, NodeId>()
  const open: NodeId[] = [start]
  for (let index = 0; index < open.length; index += 1) {
    const node = open[index]
    assert(node !== undefined, 'the index is inside the list')
    for (const { to } of edgesFrom(graph, node)) {
      if (to === start) return pathBack(cameFrom, node)
      if (!members.has(to) || cameFrom.has(to)) continue
      cameFrom.set(to, node)
      open.push(to)
    }
  }
  throw new Error('Broken invariant: every node of a component lies on a cycle')
}

function pathBack(cameFrom: ReadonlyMap<NodeId, NodeId>, last: NodeId): readonly NodeId[] {
  const path: NodeId[] = []
  for (let node: NodeId | undefined = last; node !== undefined; node = cameFrom.get(node)) path.push(node)
  return path.reverse()
}
