/** A workflow made ready to run: defaults filled in, edges as numbers, ways in and out by node. */

import { isContainerKind } from '../model/containers.ts'
import { gateStepId } from '../model/engine-steps.ts'
import type { EdgeId, NodeId, WorkflowId } from '../model/ids.ts'
import type { Priority } from '../model/invocation.ts'
import type { JoinRules } from '../model/join-rules.ts'
import { joinRulesOf, plainJoin } from '../model/join-rules.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { sortedKeys } from '../model/json.ts'
import { attemptTimeoutMsDefault } from '../model/limits.ts'
import type { RedactPath } from '../model/redact-paths.ts'
import type { FullRetryPolicy } from '../model/retry.ts'
import { fullRetryPolicy } from '../model/retry.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { Millis } from '../model/time.ts'
import type { OnLost, SideEffectClass, WorkflowDocument, WorkflowNode } from '../model/workflow.ts'
import { defaultPool, errorPort, outputStepId } from '../model/workflow.ts'
import type { CacheRule } from './cache-rule.ts'
import { cacheRuleOf } from './cache-rule.ts'
import { branchOrder } from './gather.ts'
import type { NodePermits } from './permits/node-permits.ts'
import { compileNodePermits } from './permits/node-permits.ts'
import type { RunPermits } from './permits/run-permits.ts'
import { compileRunPermits } from './permits/run-permits.ts'
import { gateStep } from './policy/gate-step.ts'
import type { NodeRoute } from './routing/node-route.ts'
import { compileNodeRoute, topicOf } from './routing/node-route.ts'
import type { CompiledSaga, CompiledUndo } from './saga/compile-undo.ts'
import { compileSaga, compileUndo, undoingNodes } from './saga/compile-undo.ts'
import type { SignalStep } from './signal-rules.ts'
import { signalStepsOf } from './signal-rules.ts'
import type { KeepRule, SkipRule, StopRule } from './step-rules.ts'
import { keepOf, passedByOf, redactOf, skipRuleOf, stopRuleOf } from './step-rules.ts'

export interface CompiledEdge {
  /** Place in the `edges` of its body (or of the workflow); the key of the scope's edge states. */
  readonly index: number
  readonly id: EdgeId
  readonly from: CompiledNode
  readonly port: string
  readonly to: CompiledNode
}

export interface CompiledNode {
  /** Place in the `nodes` of its body (or of the workflow). */
  readonly index: number
  readonly id: NodeId
  readonly kind: string
  /** What happens when it becomes ready. */
  readonly behaviour: 'run' | 'pass-on' | 'skip'
  /** How it leaves when it is passed by, for it decides nothing then: the first of its ways; null for all there are. */
  readonly passedBy: readonly string[] | null
  readonly parameters: JsonObject
  readonly retry: FullRetryPolicy
  readonly attemptTimeoutMs: Millis
  readonly totalTimeoutMs: Millis | null
  /** How long its body may keep the place that it has; null for as long as it takes. */
  readonly leaseMs: Millis | null
  /** How long an attempt may say nothing; null for as long as it takes. */
  readonly heartbeatTimeoutMs: Millis | null
  readonly join: {
    readonly mode: 'all' | 'any' | 'count'
    readonly count: number
    readonly cancelLosers: boolean
    /** Of a join that says how long it waits or what it makes of what came; what a join does without a word, else. */
    readonly rules: JoinRules
    /** The ways in as the branches stand in the fork; absent where their own order counts. */
    readonly ways?: readonly CompiledEdge[]
  }
  /** What is asked before it runs; null for a step that always does. */
  readonly skip: SkipRule | null
  /** Whether a result of an earlier run may stand for running it; null for a step that always runs. */
  readonly cache: CacheRule | null
  /** When it ends the run by what it gives; null for never. */
  readonly stop: StopRule | null
  /** What is taken out of what it gives; none for most. */
  readonly redact: readonly RedactPath[]
  /** What stays of what it gives once the run is over; null for all of it. */
  readonly keep: KeepRule | null
  readonly onError: 'fail' | 'continue'
  /** JSON text of what `continue` hands on. */
  readonly fallbackJson: string
  /** What the task's output must fit; null for any. */
  readonly outputSchema: JsonObject | null
  readonly sideEffect: SideEffectClass
  /** What happens when its runner is gone and its effect may have happened. */
  readonly onLost: OnLost
  readonly priority: Priority | null
  readonly pool: string
  readonly tags: readonly string[]
  /** What pools are mapped to; null for a node that names its pool. */
  readonly topic: string | null
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
  /** The map or loop whose body this node belongs to; null at the top. */
  readonly container: CompiledNode | null
  /** What a map runs per item and a loop per turn; null for every other node. */
  readonly body: CompiledBody | null
  /** What undoes it; null for a node that nothing does. */
  readonly undo: NodeUndo | null
}

/** What undoes a node. */
export type NodeUndo = CompiledUndo<CompiledNode>

/** Nodes and edges of one level: those of the workflow itself, or the body of a map or loop. */
export interface CompiledBody {
  readonly nodes: readonly CompiledNode[]
  readonly edges: readonly CompiledEdge[]
  /** Nodes without a way in: where it begins. */
  readonly starts: readonly CompiledNode[]
}

export interface CompiledWorkflow extends CompiledBody {
  readonly document: WorkflowDocument
  /** Whether any map or loop has a body. */
  readonly hasBodies: boolean
  /** Those of bodies too. */
  readonly nodeById: ReadonlyMap<NodeId, CompiledNode>
  /** Evaluates the run's output once everything else is done; null when the last nodes are the output. */
  readonly outputStep: CompiledNode | null
  /** Stands before all others in a run that a policy doesn't let start at once; on no level. */
  readonly gate: CompiledNode
  readonly onFailure: 'stop' | 'finish'
  readonly priority: Priority
  readonly timeoutMs: Millis | null
  readonly variables: JsonObject
  /** How many runs at a time; null when nothing limits them. */
  readonly runPermits: RunPermits | null
  /** Null for a workflow in which nothing can be undone. */
  readonly saga: CompiledSaga | null
  /** The steps that wait for web calls, those of bodies too; null while there is none. */
  readonly calledNodes: readonly CompiledNode[] | null
  /** The steps that wait for signals, those of bodies too; none while each takes the first signal that comes. */
  readonly signalSteps: readonly SignalStep[]
}

type Building = { -readonly [Key in keyof CompiledNode]: CompiledNode[Key] } & {
  readonly waysIn: CompiledEdge[]
  readonly waysOut: CompiledEdge[]
  readonly loserOf: CompiledNode[]
}

interface BuildingBody {
  readonly nodes: Building[]
  readonly edges: CompiledEdge[]
  starts: readonly CompiledNode[]
}

const emptyBody = (): BuildingBody => ({ nodes: [], edges: [], starts: [] })

/** Compiles a valid document; specs tell which kinds are inline and what their effects are. */
export function compileWorkflow(
  document: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
): CompiledWorkflow {
  const nodeById = compileNodes(document, specsByKind)
  const root = emptyBody()
  const bodyOf = enterBodies(document, nodeById, root)
  linkEdges(document, nodeById, bodyOf)
  for (const body of [root, ...bodyOf.values()]) {
    body.starts = body.nodes.filter((node) => node.waysIn.length === 0)
  }
  const outputStep = compileOutputStep(document, specsByKind, root.nodes.length)
  if (outputStep !== null) {
    root.nodes.push(outputStep)
    nodeById.set(outputStep.id, outputStep)
  }
  linkLosers([...nodeById.values()], nodeById)
  orderBranches(nodeById.values(), specsByKind)
  const gatePlace = {
    id: gateStepId as NodeId,
    node: gateStep,
    index: root.nodes.length,
    workflowId: document.id,
  }
  const gate = compileNode(gatePlace, specsByKind.get(gateStep.kind))
  nodeById.set(gate.id, gate)
  const settings = document.settings ?? {}
  return {
    ...root,
    hasBodies: bodyOf.size > 1,
    document,
    nodeById,
    outputStep,
    gate,
    onFailure: settings.onFailure ?? 'stop',
    priority: settings.priority ?? 'NORMAL',
    timeoutMs: settings.timeoutMs ?? null,
    variables: document.variables ?? {},
    runPermits: compileRunPermits(document),
    saga: compileSaga(document, nodeById.values()),
    calledNodes: calledNodesOf(nodeById),
    signalSteps: signalStepsOf(nodeById.values()),
  }
}

function calledNodesOf(nodeById: ReadonlyMap<NodeId, CompiledNode>): CompiledWorkflow['calledNodes'] {
  const called = [...nodeById.values()].filter(({ kind }) => kind === 'wait-webhook')
  return called.length === 0 ? null : called
}

/** Nodes of the way forward, with what undoes them. */
function compileNodes(
  document: WorkflowDocument,
  specsByKind: ReadonlyMap<string, TaskSpec>,
): Map<NodeId, Building> {
  const nodeById = new Map<NodeId, Building>()
  const undoing = undoingNodes(document)
  const compile = (id: NodeId, node: WorkflowNode): Building =>
    compileNode({ id, node, index: 0, workflowId: document.id }, specsByKind.get(node.kind))
  for (const [key, node] of inOrder(document.nodes)) {
    const id = key as NodeId
    if (undoing.has(id)) continue
    const compiled = compile(id, node)
    compiled.undo = compileUndo(document, { id, node }, compile)
    nodeById.set(id, compiled)
  }
  return nodeById
}

/** Puts every node into its body; a parent that isn't a map or loop is none. Gives the bodies by container. */
function enterBodies(
  document: WorkflowDocument,
  nodeById: ReadonlyMap<NodeId, Building>,
  root: BuildingBody,
): ReadonlyMap<CompiledNode, BuildingBody> {
  const bodyOf = new Map<CompiledNode, BuildingBody>()
  for (const [id, node] of nodeById) {
    const parentId = document.nodes[id]?.parent
    const container = parentId === undefined ? undefined : nodeById.get(parentId)
    let body = root
    if (container !== undefined && isContainerKind(container.kind)) {
      body = bodyOf.get(container) ?? emptyBody()
      bodyOf.set(container, body)
      container.body = body
      node.container = container
    }
    node.index = body.nodes.length
    body.nodes.push(node)
  }
  // The root's edges are found by their end, which has no container.
  return bodyOf.set(rootKey, root)
}

/** Stands for the workflow itself among containers. */
const rootKey = {} as CompiledNode

/** Edges don't cross a body's border; one that does is no edge. */
function linkEdges(
  document: WorkflowDocument,
  nodeById: ReadonlyMap<NodeId, Building>,
  bodyOf: ReadonlyMap<CompiledNode, BuildingBody>,
): void {
  for (const [id, edge] of inOrder(document.edges)) {
    const from = nodeById.get(edge.from.node)
    const to = nodeById.get(edge.to.node)
    if (from === undefined || to === undefined || from.container !== to.container) continue
    const body = bodyOf.get(from.container ?? rootKey)
    if (body === undefined) continue
    const compiled = { index: body.edges.length, id: id as EdgeId, from, port: edge.from.port, to }
    body.edges.push(compiled)
    from.waysOut.push(compiled)
    to.waysIn.push(compiled)
    if (compiled.port === errorPort) from.hasErrorEdge = true
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
  // Its own keys have items.
  sortedKeys(byId).map((id) => [id, byId[id] as Item])

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
  const sideEffect = node.sideEffect ?? spec?.sideEffect ?? 'unsafe'
  const behaviour = behaviourOf(node, spec)
  return {
    index,
    id,
    kind: node.kind,
    behaviour,
    parameters,
    retry: fullRetryPolicy(node.retry),
    attemptTimeoutMs: node.timeout?.attemptMs ?? attemptTimeoutMsDefault,
    totalTimeoutMs: node.timeout?.totalMs ?? null,
    leaseMs: spec?.limit?.leaseMs?.(parameters) ?? null,
    heartbeatTimeoutMs: node.timeout?.heartbeatMs ?? null,
    passedBy: passedByOf(spec, parameters),
    join: joinOf(node, parameters),
    skip: skipRuleOf(node),
    stop: stopRuleOf(node),
    redact: redactOf(node),
    keep: keepOf(node),
    cache: cacheRuleOf(place, { parameters, sideEffect, runs: behaviour === 'run' }),
    onError: node.onError ?? 'fail',
    fallbackJson: JSON.stringify(node.fallbackOutput ?? null),
    outputSchema: node.outputSchema ?? null,
    sideEffect,
    onLost: node.onLost ?? (sideEffect === 'unsafe' ? 'ask' : 'retry'),
    priority: node.priority ?? null,
    pool: node.pool ?? defaultPool,
    tags: node.tags ?? [],
    topic: topicOf(node),
    route: compileNodeRoute(node, node.pool ?? defaultPool),
    permits: compileNodePermits(`${place.workflowId}/${id}`, node, spec?.limit),
    waysIn: [],
    waysOut: [],
    hasErrorEdge: false,
    losers: [],
    loserOf: [],
    container: null,
    body: null,
    undo: null,
  }
}

/** A join that is bypassed hands on what arrives as any step does. */
function joinOf(node: WorkflowNode, parameters: JsonObject): CompiledNode['join'] {
  const { mode = 'all', count = 1, cancelLosers = false } = node.join ?? {}
  const rules = node.kind === 'join' && node.bypassed !== true ? joinRulesOf(parameters) : plainJoin
  const cancelsLate = rules.timeoutMs !== null && rules.cancelsLate
  return { mode, count, cancelLosers: cancelLosers || cancelsLate, rules }
}

function orderBranches(nodes: Iterable<Building>, specsByKind: ReadonlyMap<string, TaskSpec>): void {
  const portsOf = ({ kind, parameters }: CompiledNode) =>
    specsByKind
      .get(kind)
      ?.outputs(parameters)
      .map((port) => port.id) ?? []
  for (const node of nodes) {
    if (node.join.rules.gather !== 'list') continue
    node.join = { ...node.join, ways: branchOrder<CompiledEdge>(node.waysIn, portsOf) }
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
