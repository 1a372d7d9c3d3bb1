/**
 * What the engine keeps in memory of an active run: its records and, derived from them, which edges were
 * taken. Always a function of the records: dropping it and building it again changes nothing.
 */

import type { InvocationId, NodeId } from '../model/ids.ts'
import { invocationIdOf, nodeId } from '../model/ids.ts'
import type { InvocationRecord, Undoes } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import { errorPort, timeoutPort } from '../model/workflow.ts'
import type { CompiledBody, CompiledEdge, CompiledNode, CompiledWorkflow } from './compile.ts'
import type { KeptGenerations } from './generations.ts'
import { placeOf } from './scope-path.ts'

export type EdgeDecision = 'taken' | 'skipped'
export type NodePhase = 'invoked' | 'skipped'

/** Where one level stands: the run itself, one item of a map, or one turn of a loop. */
export interface ScopeState {
  /** By edge index; undefined while undecided. */
  readonly edgeDecisions: readonly (EdgeDecision | undefined)[]
  /** By node index; undefined while nothing was decided about the node. */
  readonly nodePhases: readonly (NodePhase | undefined)[]
  /** By node index: how many of its ways in were taken, and decided at all. */
  readonly takenCounts: readonly number[]
  readonly decidedCounts: readonly number[]
  /** Invocations that aren't final: of the level; for the run, of its bodies too. */
  readonly activeCount: number
}

/** An open item or turn; it leaves memory with its last active invocation. */
export interface BodyState extends ScopeState {
  readonly container: CompiledNode
  /** Whether something in it failed that nothing in it handles. */
  readonly failed: boolean
}

/** How far a map is. */
export interface MapProgress {
  readonly opened: number
  readonly closed: number
  readonly failed: number
}

export interface RunState extends ScopeState {
  readonly workflow: CompiledWorkflow
  readonly run: RunRecord
  /** Nodes whose record of an earlier generation still counts; null for a run that nobody had go on. */
  readonly kept: KeptGenerations | null
  readonly invocations: ReadonlyMap<InvocationId, InvocationRecord>
  /** How many of the active invocations are parked. */
  readonly parkedCount: number
  /** How often its invocations were written: each time at least one event tells of it. */
  readonly writeCount: number
  /** Available invocations in order of registration: what a free slot may take next. */
  readonly available: ReadonlySet<InvocationId>
  /** Open items and turns by path. */
  readonly bodies: ReadonlyMap<string, BodyState>
  /** Maps under way, by invocation. */
  readonly maps: ReadonlyMap<InvocationId, MapProgress>
  /** Maps and loops that somebody paused; null while there are none. */
  readonly pausedBodies: ReadonlySet<InvocationId> | null
  /** How many forward invocations inside of a body aren't final, however deep: by `insideKey` of the step around them. */
  readonly insideCounts: ReadonlyMap<string, number>
  /** The place of the compensation that was recorded last; 0 while there is none. */
  readonly lastPlace: number
}

type Writable<State> = { -readonly [Key in keyof State]: State[Key] }

/** One level with the right to write. */
export interface MutableScope {
  readonly edgeDecisions: (EdgeDecision | undefined)[]
  readonly nodePhases: (NodePhase | undefined)[]
  readonly takenCounts: number[]
  readonly decidedCounts: number[]
  activeCount: number
}

/** An open body with the right to write. */
export interface MutableBody extends MutableScope {
  readonly container: CompiledNode
  failed: boolean
}

/** The same with the right to write; only `applyChanges` and `createRunState` have it. */
export interface MutableRunState extends RunState, MutableScope {
  workflow: CompiledWorkflow
  run: RunRecord
  kept: KeptGenerations | null
  readonly invocations: Map<InvocationId, InvocationRecord>
  readonly edgeDecisions: (EdgeDecision | undefined)[]
  readonly nodePhases: (NodePhase | undefined)[]
  readonly takenCounts: number[]
  readonly decidedCounts: number[]
  activeCount: number
  parkedCount: number
  writeCount: number
  readonly available: Set<InvocationId>
  readonly bodies: Map<string, MutableBody>
  readonly maps: Map<InvocationId, Writable<MapProgress>>
  pausedBodies: ReadonlySet<InvocationId> | null
  readonly insideCounts: Map<string, number>
  lastPlace: number
}

/** What a decision changes in one open body. */
export interface BodyChanges {
  readonly path: string
  readonly container: CompiledNode
  /** Null where none was decided. */
  readonly edges: ReadonlyMap<number, EdgeDecision> | null
  readonly nodes: ReadonlyMap<number, NodePhase> | null
  readonly failed: boolean
}

/** What one decision changes in memory once it is committed. */
export interface StateChanges {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  /** Null where none was decided. */
  readonly edges: ReadonlyMap<number, EdgeDecision> | null
  readonly nodes: ReadonlyMap<number, NodePhase> | null
  readonly bodies?: readonly BodyChanges[]
  readonly maps?: ReadonlyMap<InvocationId, MapProgress>
  /** What the run goes on from in its next generation; the other changes come on top of it. */
  readonly restart?: RunState
}

/** A level in which nothing has happened yet. */
export function createScope(body: CompiledBody): MutableScope {
  const zeros = body.nodes.map(() => 0)
  return {
    edgeDecisions: body.edges.map(() => undefined),
    nodePhases: body.nodes.map(() => undefined),
    takenCounts: zeros,
    decidedCounts: [...zeros],
    activeCount: 0,
  }
}

const noBody: CompiledBody = { nodes: [], edges: [], starts: [] }

/** A body in which nothing has happened yet. */
export const createBody = (container: CompiledNode): MutableBody => {
  return { ...createScope(container.body ?? noBody), container, failed: false }
}

/** An empty state for a run that has just been made. */
export function createRunState(workflow: CompiledWorkflow, run: RunRecord): MutableRunState {
  return {
    ...createScope(workflow),
    workflow,
    run,
    kept: null,
    invocations: new Map(),
    parkedCount: 0,
    writeCount: 0,
    available: new Set(),
    bodies: new Map(),
    maps: new Map(),
    pausedBodies: null,
    insideCounts: new Map(),
    lastPlace: 0,
  }
}

/** Makes a committed decision part of the state. */
export function applyChanges(state: MutableRunState, changes: StateChanges): void {
  if (changes.restart !== undefined) restart(state, changes.restart)
  state.run = changes.run
  if (changes.bodies !== undefined) enterBodies(state, changes.bodies)
  for (const record of changes.invocations) applyInvocation(state, record)
  applyScope(state, state.workflow, changes)
  for (const body of changes.bodies ?? []) leaveBody(state, body.path)
  for (const [id, progress] of changes.maps ?? []) state.maps.set(id, { ...progress })
  if (state.maps.size > 0) dropEndedMaps(state, changes.invocations)
}

/** Only a run that had ended goes on in another generation: no body is open and nothing is under way. */
function restart(state: MutableRunState, from: RunState): void {
  state.workflow = from.workflow
  state.kept = from.kept
  replace(state.edgeDecisions, from.edgeDecisions)
  replace(state.nodePhases, from.nodePhases)
  replace(state.takenCounts, from.takenCounts)
  replace(state.decidedCounts, from.decidedCounts)
}

function replace<Item>(list: Item[], by: readonly Item[]): void {
  list.length = 0
  for (const item of by) list.push(item)
}

/** Before the invocations, which count in them. */
function enterBodies(state: MutableRunState, bodies: readonly BodyChanges[]): void {
  for (const changes of bodies) {
    const body = state.bodies.get(changes.path) ?? createBody(changes.container)
    state.bodies.set(changes.path, body)
    if (changes.failed) body.failed = true
    applyScope(body, changes.container.body ?? noBody, changes)
  }
}

/** A body without anything active has ended; what it gave is in its records. */
function leaveBody(state: MutableRunState, path: string): void {
  if (state.bodies.get(path)?.activeCount === 0) state.bodies.delete(path)
}

function dropEndedMaps(state: MutableRunState, changed: readonly InvocationRecord[]): void {
  for (const record of changed) if (!isActive(record)) state.maps.delete(record.id)
}

function applyScope(
  scope: MutableScope,
  body: CompiledBody,
  changes: Pick<StateChanges, 'edges' | 'nodes'>,
): void {
  if (changes.edges !== null)
    for (const [index, decision] of changes.edges) applyEdge(scope, body, { index, decision })
  if (changes.nodes !== null) for (const [index, phase] of changes.nodes) scope.nodePhases[index] = phase
}

function applyInvocation(state: MutableRunState, record: InvocationRecord): void {
  const before = state.invocations.get(record.id)
  state.invocations.set(record.id, record)
  state.writeCount += record.version - (before?.version ?? 0)
  const active = (isActive(record) ? 1 : 0) - (before !== undefined && isActive(before) ? 1 : 0)
  state.activeCount += active
  // A compensation is no part of the item or turn whose step it undoes.
  if (record.path !== '' && active !== 0 && record.role === 'forward') {
    const body = state.bodies.get(record.path)
    if (body !== undefined) body.activeCount += active
    countInside(state.insideCounts, record, active)
  }
  state.parkedCount += (isParked(record) ? 1 : 0) - (before !== undefined && isParked(before) ? 1 : 0)
  if (invocationMachine.available.has(record.status)) state.available.add(record.id)
  else state.available.delete(record.id)
  if (record.wait !== null || state.pausedBodies !== null) notePause(state, record)
  if (record.role !== 'forward') state.lastPlace = Math.max(state.lastPlace, undoesOf(record)?.place ?? 0)
}

/** By what those inside of a map, a loop or another box are counted: each generation by itself. */
export const insideKey = ({ generation, path, nodeId: id }: InvocationRecord): string =>
  `${generation} ${path === '' ? '' : `${path}/`}${id}`

/** Counts a record in all bodies that it is in. */
export function countInside(
  counts: Map<string, number>,
  { generation, path }: InvocationRecord,
  change: number,
): void {
  for (let rest = path; rest !== ''; rest = placeOf(rest).parent) {
    const key = `${generation} ${rest.slice(0, rest.lastIndexOf(':'))}`
    const count = (counts.get(key) ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
}

/** Mostly there is none: then nobody has to look for one either. */
function notePause(state: MutableRunState, { id, dispatch, wait, status }: InvocationRecord): void {
  const isBody = wait?.kind === 'items' || wait?.kind === 'turn'
  const isPaused = isBody && dispatch !== null && dispatch.pauseRequestedAt !== null
  if (!isPaused && state.pausedBodies === null) return
  const others = [...(state.pausedBodies ?? [])].filter((other) => other !== id)
  const ids = isPaused && !invocationMachine.final.has(status) ? [...others, id] : others
  state.pausedBodies = ids.length === 0 ? null : new Set(ids)
}

/** Decides an edge of a level, once. */
export function applyEdge(
  scope: MutableScope,
  body: CompiledBody,
  made: { readonly index: number; readonly decision: EdgeDecision },
): void {
  const { index, decision } = made
  const edge = body.edges[index]
  if (edge === undefined || scope.edgeDecisions[index] !== undefined) return
  scope.edgeDecisions[index] = decision
  const node = edge.to.index
  scope.decidedCounts[node] = (scope.decidedCounts[node] ?? 0) + 1
  if (decision === 'taken') scope.takenCounts[node] = (scope.takenCounts[node] ?? 0) + 1
}

export const isActive = (record: InvocationRecord): boolean =>
  !invocationMachine.final.has(record.status) && !isRecorded(record)

/** Parked invocations hold no slot and wait for something with a name. */
export const isParked = (record: InvocationRecord): boolean =>
  record.status === 'WAITING' ? !isRecorded(record) : record.status === 'APPROVAL_REQUIRED'

/** A compensation that waits for a rollback: it keeps nothing open, and may never have its turn. */
export const isRecorded = ({ status, wait }: InvocationRecord): boolean =>
  status === 'WAITING' && wait !== null && wait.kind === 'rollback'

/** What a compensation undoes; null for a step. */
export const undoesOf = ({ wait, dispatch }: InvocationRecord): Undoes | null =>
  wait?.kind === 'rollback' ? wait : (dispatch?.undoes ?? null)

/** Where a run stands with its generations; a whole state is one. */
export type Generations = Pick<RunState, 'run' | 'kept'>

/** The id of the forward invocation of a node that counts now, made or still to be made; `path` in a body. */
export function forwardId(at: Generations, nodeId: NodeId, path = ''): InvocationId {
  const { run, kept } = at
  const generation = kept === null ? run.generation : generationOf(at, nodeId, path)
  return invocationIdOf({ runId: run.id, generation, nodeId, path, role: 'forward' })
}

/** The generation of the record that counts now; in a body that of the map or loop around it. */
function generationOf({ run, kept }: Generations, node: NodeId, path: string): number {
  if (kept === null) return run.generation
  if (path === '') return kept.get(node) ?? run.generation
  const [outermost = ''] = path.split('/', 1)
  return kept.get(nodeId(outermost.slice(0, outermost.lastIndexOf(':')))) ?? run.generation
}

/** Whether the record is of the generation that counts; the others are history. */
export const isCurrent = (at: Generations, record: InvocationRecord): boolean =>
  record.generation === generationOf(at, record.nodeId, record.path)

/**
 * How a final invocation decides one of its ways out; null when it decides nothing because the run ends
 * with it (an unhandled failure, a cancelled run).
 */
export function decisionOf(record: InvocationRecord, edge: CompiledEdge): EdgeDecision | null {
  if (!invocationMachine.final.has(record.status)) return null
  // However it ended: the join that it led to has gone on without it.
  if (isLoser(record)) return 'skipped'
  if (record.status === 'SUCCESS' || wasHandedOn(record)) {
    const taken = record.ports === null ? !isForFailure(edge.port) : record.ports.includes(edge.port)
    return taken ? 'taken' : 'skipped'
  }
  if (record.ports !== null) return record.ports.includes(edge.port) ? 'taken' : 'skipped'
  if (record.status === 'CANCELLED' && record.cause.kind === 'skipped') return 'skipped'
  return null
}

/** A way that no success takes, be it of a step that is only passed by. */
const isForFailure = (port: string): boolean => port === errorPort || port === timeoutPort

/** Its result was held back only after others had begun with it: what it led to was decided before. */
export const wasHandedOn = ({ status, dispatch }: InvocationRecord): boolean =>
  status === 'OUTPUT_QUARANTINED' && dispatch?.check?.phase === 'content'

/** The cause's kind of what was under way when its join needed it no longer. */
export const loserCause = 'loser'

/** Cancelled for the branch's sake, not for the run's: its end decides nothing about the run. */
export const isLoser = (record: InvocationRecord): boolean => record.cause.kind === loserCause
