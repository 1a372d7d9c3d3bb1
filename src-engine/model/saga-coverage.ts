/**
 * Which effects of a workflow would stay if it failed, point by point: what can be known from the drawing
 * alone, before anything runs. Linear in the graph for each point; never throws.
 */

import type { GraphNode, WorkflowGraph } from './graph.ts'
import { buildGraph, reachableFrom, topologicalOrder } from './graph.ts'
import type { NodeId } from './ids.ts'
import { isJsonObject } from './json.ts'
import type { TaskSpec } from './task-spec.ts'
import type { SideEffectClass, WorkflowDocument, WorkflowNode } from './workflow.ts'
import { errorPort } from './workflow.ts'

/** How an effect is undone: by something, knowingly not, or nobody said. */
export type UndoPlan = 'undone' | 'impossible' | 'missing'

/** A step that changes something outside of its run. */
export interface SagaEffect {
  readonly nodeId: NodeId
  readonly sideEffect: SideEffectClass
  readonly plan: UndoPlan
  /** Why it can't be undone, in the words of the document; null unless it says so. */
  readonly reason: string | null
}

/** A step whose failure ends the run, and what it would leave behind at most. */
export interface FailurePoint {
  readonly nodeId: NodeId
  /** Effects that may have happened by then and would stay, in the order of the document. */
  readonly stays: readonly NodeId[]
}

export interface SagaCoverage {
  readonly effects: readonly SagaEffect[]
  /** How many of them can be undone. */
  readonly undoable: number
  readonly points: readonly FailurePoint[]
  /** False when the settings say that a failure undoes nothing: then every effect stays. */
  readonly rollsBack: boolean
}

/** The coverage of a document; nodes of kinds that aren't known have no effect that could be told of. */
export function sagaCoverage(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
): SagaCoverage {
  const graph = buildGraph(document)
  const undoers = undoingNodes(document)
  const acts = (id: NodeId, node: WorkflowNode): boolean =>
    node.disabled !== true && node.bypassed !== true && !undoers.has(id)
  const acting = graph.nodes.filter(({ id, node }) => acts(id, node))
  const effects = acting.flatMap(({ id, node }) => effectOf(id, node, taskSpecs.get(node.kind)) ?? [])
  const rollsBack = document.settings?.rollbackOn?.includes('failed') ?? true
  const staying = effects.filter(({ plan }) => !rollsBack || plan !== 'undone').map(({ nodeId }) => nodeId)
  const failing = acting.filter(({ node, outgoing }) => canFail(node, taskSpecs.get(node.kind), outgoing))
  const places = placesOf(graph, taskSpecs)
  const points = failing.map(({ id }) => ({ nodeId: id, stays: leftAt(places, id, staying) }))
  return { effects, undoable: effects.filter(({ plan }) => plan === 'undone').length, points, rollsBack }
}

/** Nodes that run only to undo another one. */
function undoingNodes(document: WorkflowDocument): ReadonlySet<string> {
  const named = Object.values(document.nodes).map(({ compensation }) => compensation?.node)
  return new Set(named.filter((id) => typeof id === 'string'))
}

function effectOf(nodeId: NodeId, node: WorkflowNode, spec: TaskSpec | undefined): SagaEffect | null {
  const sideEffect = node.sideEffect ?? spec?.sideEffect ?? 'pure'
  if (sideEffect === 'pure') return null
  const { compensation } = node
  const reason = compensation?.impossible
  if (typeof reason === 'string') return { nodeId, sideEffect, plan: 'impossible', reason }
  const isUndone = compensation?.node !== undefined || compensation?.task !== undefined
  return { nodeId, sideEffect, plan: isUndone ? 'undone' : 'missing', reason: null }
}

/** Whether its failure ends the run: nothing takes it up, and it does more than to split or to join. */
function canFail(
  node: WorkflowNode,
  spec: TaskSpec | undefined,
  outgoing: readonly { readonly fromPort: string }[],
): boolean {
  if (node.onError === 'continue' || spec?.execution === 'inline') return false
  return outgoing.every(({ fromPort }) => fromPort !== errorPort)
}

/** What is known about which steps can have been done when another one fails. */
interface Places {
  readonly graph: WorkflowGraph
  /** The outermost map or loop that a node is in, else the node itself. */
  readonly top: (id: NodeId) => NodeId
  /** By node of the top level: the way out that every path to it takes, by the node that decides. */
  readonly ways: ReadonlyMap<NodeId, ReadonlyMap<NodeId, string>>
}

function placesOf(graph: WorkflowGraph, taskSpecs: ReadonlyMap<string, TaskSpec>): Places {
  const top = (id: NodeId): NodeId => {
    const seen = new Set<NodeId>()
    let at = id
    for (;;) {
      const parent = graph.nodeById.get(at)?.node.parent
      if (parent === undefined || seen.has(at) || !graph.nodeById.has(parent)) return at
      seen.add(at)
      at = parent
    }
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
function leftAt({ graph, top, ways }: Places, failing: NodeId, effects: readonly NodeId[]): NodeId[] {
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
