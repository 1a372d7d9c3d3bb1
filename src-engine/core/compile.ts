/** A workflow made ready to run: defaults filled in, edges as numbers, ways in and out by node. */

import type { EdgeId, NodeId, WorkflowId } from '../model/ids.ts'
import type { Priority } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { attemptTimeoutMsDefault } from '../model/limits.ts'
import type { FullRetryPolicy } from '../model/retry.ts'
import { fullRetryPolicy } from '../model/retry.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { Millis } from '../model/time.ts'
import type { SideEffectClass, WorkflowDocument, WorkflowNode } from '../model/workflow.ts'
import { errorPort, outputStepId } from '../model/workflow.ts'
import type { NodePermits } from './permits/node-permits.ts'
import { compileNodePermits } from './permits/node-permits.ts'
import type { NodeRoute } from './routing/node-route.ts'
import { compileNodeRoute } from './routing/node-route.ts'

export interface CompiledEdge {
  /** Place in `CompiledWorkflow.edges`; the key of the run's edge states. */
  readonly index: number
  readonly id: EdgeId
  readonly from: CompiledNode
  readonly port: string
  readonly to: CompiledNode
}

export interface CompiledNode {
  readonly index: number
  readonly id: NodeId
  readonly kind: string
  /** What happens when it becomes ready. */
  readonly behaviour: 'run' | 'pass-on' | 'skip'
  readonly parameters: JsonObject
  readonly retry: FullRetryPolicy
  readonly attemptTimeoutMs: Millis
  readonly totalTimeoutMs: Millis | null
  readonly join: {
    readonly mode: 'all' | 'any' | 'count'
    readonly count: number
    readonly cancelLosers: boolean
  }
  readonly onError: 'fail' | 'continue'
  /** JSON text of what `continue` hands on. */
  readonly fallbackJson: string
  readonly sideEffect: SideEffectClass
  readonly priority: Priority | null
  readonly pool: string
  readonly tags: readonly string[]
  /** Where it may run; null when anybody of its pool may run it. */
  readonly route: NodeRoute | null
  /** Concurrency control; null when the node has none. */
  readonly permits: NodePermits | null
  readonly waysIn: readonly CompiledEdge[]
  readonly waysOut: readonly CompiledEdge[]
  readonly hasErrorEdge: boolean
  /** Nodes whose every way leads to this join, when it cancels its losers. */
  readonly losers: readonly CompiledNode[]
  /** Joins of which this node may be a loser. */
  readonly loserOf: readonly CompiledNode[]
}

export interface CompiledWorkflow {
  readonly document: WorkflowDocument
  readonly nodes: readonly CompiledNode[]
  readonly nodeById: ReadonlyMap<NodeId, CompiledNode>
  readonly edges: readonly CompiledEdge[]
  /** Nodes without a way in: where a run begins. */
  readonly starts: readonly CompiledNode[]
  /** Evaluates the run's output once everything else is done; null when the last nodes are the output. */
  readonly outputStep: CompiledNode | null
  readonly onFailure: 'stop' | 'finish'
  readonly priority: Priority
  readonly timeoutMs: Millis | null
  readonly variables: JsonObject
}

export const defaultPool = 'default'

type Building = { -readonly [Key in keyof CompiledNode]: CompiledNode[Key] } & {
  readonly waysIn: CompiledEdge[]
  readonly waysOut: CompiledEdge[]
  readonly loserOf: CompiledNode[]
}

/** Compiles a valid document; specs tell which kinds are inline and what their effects are. */
export function compileWorkflow(
  document: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
): CompiledWorkflow {
  const nodes = inOrder(document.nodes).map(([id, node], index) =>
    compileNode({ id: id as NodeId, node, index, workflowId: document.id }, specsByKind.get(node.kind)),
  )
  const starts = [...nodes]
  const outputStep = compileOutputStep(document, specsByKind, nodes.length)
  if (outputStep !== null) nodes.push(outputStep)
  const nodeById = new Map(nodes.map((node) => [node.id, node]))
  const edges: CompiledEdge[] = []
  for (const [id, edge] of inOrder(document.edges)) {
    const from = nodeById.get(edge.from.node)
    const to = nodeById.get(edge.to.node)
    if (from === undefined || to === undefined) continue
    const compiled = { index: edges.length, id: id as EdgeId, from, port: edge.from.port, to }
    edges.push(compiled)
    from.waysOut.push(compiled)
    to.waysIn.push(compiled)
    if (compiled.port === errorPort) from.hasErrorEdge = true
  }
  linkLosers(nodes, nodeById)
  const settings = document.settings ?? {}
  return {
    document,
    nodes,
    nodeById,
    edges,
    starts: starts.filter((node) => node.waysIn.length === 0),
    outputStep,
    onFailure: settings.onFailure ?? 'stop',
    priority: settings.priority ?? 'NORMAL',
    timeoutMs: settings.timeoutMs ?? null,
    variables: document.variables ?? {},
  }
}

function compileOutputStep(
  document: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
  index: number,
): Building | null {
  const expression = document.settings?.output
  if (expression === undefined || expression.trim() === '') return null
  const node: WorkflowNode = { kind: 'transform', parameters: { expression } }
  const place = { id: outputStepId as NodeId, node, index, workflowId: document.id }
  return compileNode(place, specsByKind.get(node.kind))
}

/**
 * By id, as a stored document has them: the order of branches must be the same before and after a restart,
 * whatever order the document was first given in.
 */
const inOrder = <Item>(byId: Readonly<Record<string, Item>>): readonly (readonly [string, Item])[] =>
  Object.entries(byId).sort(([a], [b]) => (a < b ? -1 : 1))

function compileNode(
  place: {
    readonly id: NodeId
    readonly node: WorkflowNode
    readonly index: number
    readonly workflowId: WorkflowId
  },
  spec: TaskSpec | undefined,
): Building {
  const { id, node, index } = place
  const parameters: Record<string, JsonValue> = { ...spec?.defaults, ...node.parameters }
  return {
    index,
    id,
    kind: node.kind,
    behaviour: behaviourOf(node, spec),
    parameters,
    retry: fullRetryPolicy(node.retry),
    attemptTimeoutMs: node.timeout?.attemptMs ?? attemptTimeoutMsDefault,
    totalTimeoutMs: node.timeout?.totalMs ?? null,
    join: {
      mode: node.join?.mode ?? 'all',
      count: node.join?.count ?? 1,
      cancelLosers: node.join?.cancelLosers ?? false,
    },
    onError: node.onError ?? 'fail',
    fallbackJson: JSON.stringify(node.fallbackOutput ?? null),
    sideEffect: node.sideEffect ?? spec?.sideEffect ?? 'unsafe',
    priority: node.priority ?? null,
    pool: node.pool ?? defaultPool,
    tags: node.tags ?? [],
    route: compileNodeRoute(node, node.pool ?? defaultPool),
    permits: compileNodePermits(`${place.workflowId}/${id}`, node),
    waysIn: [],
    waysOut: [],
    hasErrorEdge: false,
    losers: [],
    loserOf: [],
  }
}

function linkLosers(nodes: readonly Building[], nodeById: ReadonlyMap<NodeId, Building>): void {
  for (const join of nodes) {
    if (!join.join.cancelLosers) continue
    join.losers = onlyLeadingTo(join)
    for (const loser of join.losers) nodeById.get(loser.id)?.loserOf.push(join)
  }
}

/** Nodes upstream whose every way out leads to this join, directly or through one another. */
function onlyLeadingTo(join: CompiledNode): readonly CompiledNode[] {
  const inside = new Set<CompiledNode>([join])
  const queue = join.waysIn.map((edge) => edge.from)
  for (let next = 0; next < queue.length; next += 1) {
    const node = queue[next]
    if (node === undefined || inside.has(node)) continue
    // Not yet: it is looked at again with each of its targets that turns out to be inside.
    if (!node.waysOut.every((edge) => inside.has(edge.to))) continue
    inside.add(node)
    for (const edge of node.waysIn) queue.push(edge.from)
  }
  inside.delete(join)
  return [...inside]
}

function behaviourOf(node: WorkflowNode, spec: TaskSpec | undefined): CompiledNode['behaviour'] {
  if (node.disabled === true) return 'skip'
  if (node.bypassed === true || spec?.execution === 'inline') return 'pass-on'
  return 'run'
}
