/**
 * Which steps can have been done when another one fails: from the drawing alone. Linear in the graph for each
 * step that fails; never throws.
 */

import type { GraphNode, WorkflowGraph } from './graph.ts'
import { reachableFrom, topologicalOrder } from './graph.ts'
import type { NodeId } from './ids.ts'
import { isJsonObject } from './json.ts'
import type { TaskSpec } from './task-spec.ts'

/** What is known about which steps can have been done when another one fails. */
export interface Places {
  readonly graph: WorkflowGraph
  /** The outermost map or loop that a node is in, else the node itself. */
  readonly top: (id: NodeId) => NodeId
  /** By node of the top level: the way out that every path to it takes, by the node that decides. */
  readonly ways: ReadonlyMap<NodeId, ReadonlyMap<NodeId, string>>
}

/** Looks at a graph once, for all steps that may fail. */
export function placesOf(graph: WorkflowGraph, taskSpecs: ReadonlyMap<string, TaskSpec>): Places {
  const find = (id: NodeId): NodeId => {
    const seen = new Set<NodeId>()
    let at = id
    for (;;) {
      const parent = graph.nodeById.get(at)?.node.parent
      if (parent === undefined || seen.has(at) || !graph.nodeById.has(parent)) return at
      seen.add(at)
      at = parent
    }
  }
  // Each step that may fail asks for that of every effect: thousands of steps, millions of questions.
  const found = new Map<NodeId, NodeId>()
  const top = (id: NodeId): NodeId => {
    const known = found.get(id)
    if (known !== undefined) return known
    const outermost = find(id)
    found.set(id, outermost)
    return outermost
  }
  return { graph, top, ways: waysTo(graph, taskSpecs) }
}

function waysTo(graph: WorkflowGraph, taskSpecs: ReadonlyMap<string, TaskSpec>): Places['ways'] {
  const ways = new Map<NodeId, ReadonlyMap<NodeId, string>>()
  // A cycle is an error of its own; until it is mended, nothing is known of ways.
  for (const id of topologicalOrder(graph) ?? []) {
    let common: Map<NodeId, string> | null = null
    for (const { from, fromPort, source } of graph.nodeById.get(id)?.incoming ?? []) {
      const way = new Map(ways.get(from))
      if (decides(source, taskSpecs)) way.set(from, fromPort)
      common = common === null ? way : shared(common, way)
    }
    if (common !== null && common.size > 0) ways.set(id, common)
  }
  return ways
}

function shared<Key, Value>(a: ReadonlyMap<Key, Value>, b: ReadonlyMap<Key, Value>): Map<Key, Value> {
  return new Map([...a].filter(([key, value]) => b.get(key) === value))
}

/** Whether at most one of its ways out is taken, and there is a choice. */
function decides({ node, outgoing }: GraphNode, taskSpecs: ReadonlyMap<string, TaskSpec>): boolean {
  if (outgoing.every(({ fromPort }) => fromPort === outgoing[0]?.fromPort)) return false
  const parameters = isJsonObject(node.parameters) ? node.parameters : {}
  return taskSpecs.get(node.kind)?.takesSeveralWays?.(parameters) !== true
}

/** Of the given effects, those that may have happened when the node fails. */
export function leftAt({ graph, top, ways }: Places, failing: NodeId, effects: readonly NodeId[]): NodeId[] {
  const place = top(failing)
  const later = reachableFrom(graph, [place])
  const ownWays = ways.get(place)
  return effects.filter((effect) => {
    const at = top(effect)
    // Other items and turns of the same map or loop may be done already, also of the step itself.
    if (at === place) return effect !== failing || failing !== place
    return !later.has(at) && !excludes(ownWays, ways.get(at))
  })
}

/** Whether no run can take both ways. */
function excludes(a: ReadonlyMap<NodeId, string> | undefined, b: ReadonlyMap<NodeId, string> | undefined) {
  if (a === undefined || b === undefined) return false
  for (const [node, port] of a) {
    const other = b.get(node)
    if (other !== undefined && other !== port) return true
  }
  return false
}
