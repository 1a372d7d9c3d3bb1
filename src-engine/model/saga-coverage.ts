/**
 * Which effects of a workflow would stay if it failed, point by point: what can be known from the drawing
 * alone, before anything runs. Workflows that its steps start are looked into where they are at hand: each once,
 * however many steps start it. The effects are linear in the nodes; what would stay is linear in the graphs for each
 * point, so it is asked for by itself, one point after the other. Never throws.
 */

import { buildGraph, entriesOf } from './graph.ts'
import type { NodeId, WorkflowId } from './ids.ts'
import { callKind } from './pinned-versions.ts'
import { leftAt, placesOf } from './saga-places.ts'
import type { TaskSpec } from './task-spec.ts'
import type { SideEffectClass, WorkflowDocument, WorkflowNode } from './workflow.ts'
import { errorPort } from './workflow.ts'

/**
 * How an effect is undone: by something, knowingly not, nobody said; or it happens in a run that nobody waits for,
 * which is no part of the rollback.
 */
export type UndoPlan = 'undone' | 'impossible' | 'missing' | 'apart'

/** A step of a workflow that a step starts. */
export interface InnerStep {
  readonly workflowId: WorkflowId
  /** Its title. */
  readonly workflow: string
  readonly nodeId: NodeId
  /** Its title; its id where it has none. */
  readonly title: string
}

/** A step that changes something outside of its run. */
export interface SagaEffect {
  /** Of the document itself. */
  readonly nodeId: NodeId
  /** Where it is in the workflow that the step starts, and in those that are started there; empty for the step itself. */
  readonly inside: readonly InnerStep[]
  readonly sideEffect: SideEffectClass
  readonly plan: UndoPlan
  /** Why it can't be undone, in the words of the document; null unless it says so. */
  readonly reason: string | null
}

/** A step whose failure ends the run, and what it would leave behind at most. */
export interface FailurePoint {
  readonly nodeId: NodeId
  /** Steps whose effects may have happened by then and would stay, in the order of the document. */
  readonly stays: readonly NodeId[]
}

/** What a workflow changes outside, and what of it can be undone: known from its nodes and settings alone. */
export interface SagaEffects {
  readonly effects: readonly SagaEffect[]
  /** How many of them can be undone. */
  readonly undoable: number
  /** False when the settings say that a failure undoes nothing: then every effect stays. */
  readonly rollsBack: boolean
  /** Steps that start a workflow which could not be looked into: nobody knows what it does. */
  readonly unknown: readonly NodeId[]
}

export interface SagaCoverage extends SagaEffects {
  readonly points: readonly FailurePoint[]
}

/** The workflow that a step of that document starts; null for one that isn't at hand. */
export type FindStarted = (of: WorkflowDocument, step: WorkflowNode) => WorkflowDocument | null

/** The coverage of a document; nodes of kinds that aren't known have no effect that could be told of. */
export function sagaCoverage(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  find: FindStarted = nobody,
): SagaCoverage {
  const search = searchOf(taskSpecs, find)
  return { ...lookInto(document, search).told, points: [...pointsOf(document, search)] }
}

/** What of it needs no way of the graph. */
export function sagaEffects(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  find: FindStarted = nobody,
): SagaEffects {
  return lookInto(document, searchOf(taskSpecs, find)).told
}

/** What may fail, in the order of the document; what stays then is found when it is taken. */
export function failurePoints(
  document: WorkflowDocument,
  taskSpecs: ReadonlyMap<string, TaskSpec>,
  find: FindStarted = nobody,
): Generator<FailurePoint, void> {
  return pointsOf(document, searchOf(taskSpecs, find))
}

const nobody: FindStarted = () => null

interface Search {
  readonly taskSpecs: ReadonlyMap<string, TaskSpec>
  readonly find: FindStarted
  /** What has been looked into; null while it is. */
  readonly known: Map<WorkflowDocument, Looked | null>
  /** Whether a failure in it leaves something; false while it is looked for. */
  readonly leaving: Map<WorkflowDocument, boolean>
}

const searchOf = (taskSpecs: ReadonlyMap<string, TaskSpec>, find: FindStarted): Search => ({
  ...{ taskSpecs, find, known: new Map(), leaving: new Map() },
})

/** What is known of one workflow, and of those that it starts. */
interface Looked {
  readonly told: SagaEffects
  readonly started: ReadonlyMap<NodeId, Started>
}

const none: Looked = {
  told: { effects: [], undoable: 0, rollsBack: true, unknown: [] },
  started: new Map(),
}

function lookInto(document: WorkflowDocument, search: Search): Looked {
  const before = search.known.get(document)
  // A workflow that starts itself does there what it does here.
  if (before !== undefined) return before ?? none
  search.known.set(document, null)
  const looked = freshLook(document, search)
  search.known.set(document, looked)
  return looked
}

function freshLook(document: WorkflowDocument, search: Search): Looked {
  const { drawnNodes } = entriesOf({ nodes: document.nodes, edges: {} })
  const isActing = actingIn(document)
  const acting = drawnNodes.flatMap(([id, node]) => (isActing(id, node) ? [{ id, node }] : []))
  const started = startedBy(document, acting, search)
  const effects = acting.flatMap(({ id, node }) => [
    ...(effectOf(id, node, search.taskSpecs.get(node.kind)) ?? []),
    ...(started.get(id)?.effects ?? []),
  ])
  const told = {
    effects,
    undoable: effects.filter(({ plan }) => plan === 'undone').length,
    rollsBack: document.settings?.rollbackOn?.includes('failed') ?? true,
    unknown: [...started].flatMap(([id, { isUnknown }]) => (isUnknown ? [id] : [])),
  }
  return { told, started }
}

function* pointsOf(document: WorkflowDocument, search: Search): Generator<FailurePoint, void> {
  const { taskSpecs } = search
  const { told, started } = lookInto(document, search)
  search.leaving.set(document, false)
  const graph = buildGraph(document)
  const isActing = actingIn(document)
  const acting = graph.nodes.filter(({ id, node }) => isActing(id, node))
  const staying = [
    ...new Set(
      told.effects.filter(({ plan }) => !told.rollsBack || plan !== 'undone').map(({ nodeId }) => nodeId),
    ),
  ]
  const places = placesOf(graph, taskSpecs)
  for (const { id, node, outgoing } of acting) {
    if (!canFail(node, taskSpecs.get(node.kind), outgoing)) continue
    const left = leftAt(places, id, staying)
    const inner = started.get(id)?.inner ?? null
    // A workflow that fails leaves what it had done by then.
    if (inner === null || left.includes(id) || !leaves(inner, search)) yield { nodeId: id, stays: left }
    else {
      const stays = acting.flatMap((one) => (one.id === id || left.includes(one.id) ? [one.id] : []))
      yield { nodeId: id, stays }
    }
  }
}

/** Whether some failure in a workflow leaves something; the first that does is enough. */
function leaves(document: WorkflowDocument, search: Search): boolean {
  const known = search.leaving.get(document)
  if (known !== undefined) return known
  for (const { stays } of pointsOf(document, search)) {
    if (stays.length === 0) continue
    search.leaving.set(document, true)
    return true
  }
  return false
}

/** Whether a step of it does something on the way forward. */
function actingIn(document: WorkflowDocument): (id: NodeId, node: WorkflowNode) => boolean {
  const undoers = undoingNodes(document)
  return (id, node) => node.disabled !== true && node.bypassed !== true && !undoers.has(id)
}

interface Started {
  /** None where the workflow isn't at hand. */
  readonly effects: readonly SagaEffect[]
  /** The workflow that fails with its step, where it is at hand; null for one that nobody waits for. */
  readonly inner: WorkflowDocument | null
  /** Whether it, or one that it starts, isn't at hand. */
  readonly isUnknown: boolean
}

/** What the workflows do that the steps start. */
function startedBy(
  document: WorkflowDocument,
  steps: readonly { readonly id: NodeId; readonly node: WorkflowNode }[],
  search: Search,
): ReadonlyMap<NodeId, Started> {
  const started = new Map<NodeId, Started>()
  for (const { id, node } of steps) {
    if (node.kind !== callKind) continue
    const child = search.find(document, node)
    if (child === null) {
      started.set(id, { effects: [], inner: null, isUnknown: true })
      continue
    }
    const isApart = node.parameters?.['mode'] === 'start'
    // A run that fails is undone by itself, if its own settings say so; one that succeeded, with its step.
    const { told } = lookInto(child, search)
    const effects = innerEffects({ id, node, isApart }, child, told)
    started.set(id, { effects, inner: isApart ? null : child, isUnknown: told.unknown.length > 0 })
  }
  return started
}

/** The effects of a started workflow as those of the step that starts it: each place once. */
function innerEffects(
  by: { readonly id: NodeId; readonly node: WorkflowNode; readonly isApart: boolean },
  child: WorkflowDocument,
  inner: SagaEffects,
): readonly SagaEffect[] {
  const { id, node, isApart } = by
  const seen = new Set<string>()
  return inner.effects.flatMap((effect) => {
    const { nodeId } = effect
    const own = { workflowId: child.id, workflow: child.title, nodeId, title: titleOf(child, nodeId) }
    const inside = [own, ...effect.inside]
    const last = inside.at(-1)
    const place = `${last?.workflowId} ${last?.nodeId}`
    // Several ways may lead to one step of a workflow that is started in many places.
    if (seen.has(place)) return []
    seen.add(place)
    return [{ ...effect, nodeId: id, inside, ...planOf(node, isApart, effect) }]
  })
}

/** How an effect of a started run is undone: by what its step says, else with its run. */
function planOf(
  { compensation }: WorkflowNode,
  isApart: boolean,
  { plan, reason }: SagaEffect,
): Pick<SagaEffect, 'plan' | 'reason'> {
  if (typeof compensation?.impossible === 'string')
    return { plan: 'impossible', reason: compensation.impossible }
  if (isUndone(compensation)) return { plan: 'undone', reason: null }
  return isApart ? { plan: 'apart', reason: null } : { plan, reason }
}

const titleOf = ({ nodes }: WorkflowDocument, id: NodeId): string => nodes[id]?.title || id

/** Nodes that run only to undo another one. */
function undoingNodes(document: WorkflowDocument): ReadonlySet<string> {
  const named = Object.values(document.nodes).map(({ compensation }) => compensation?.node)
  return new Set(named.filter((id) => typeof id === 'string'))
}

const isUndone = (compensation: WorkflowNode['compensation']): boolean =>
  compensation?.node !== undefined || compensation?.task !== undefined

function effectOf(
  nodeId: NodeId,
  node: WorkflowNode,
  spec: TaskSpec | undefined,
): readonly SagaEffect[] | null {
  const sideEffect = node.sideEffect ?? spec?.sideEffect ?? 'pure'
  if (sideEffect === 'pure') return null
  const { compensation } = node
  const own = { nodeId, inside: [], sideEffect }
  const reason = compensation?.impossible
  if (typeof reason === 'string') return [{ ...own, plan: 'impossible', reason }]
  return [{ ...own, plan: isUndone(compensation) ? 'undone' : 'missing', reason: null }]
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
