/**
 * What the engine keeps in memory of an active run: its records and, derived from them, which edges were
 * taken. Always a function of the records: dropping it and building it again changes nothing.
 */

import type { InvocationId, NodeId } from '../model/ids.ts'
import { invocationIdOf } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import { errorPort } from '../model/workflow.ts'
import type { CompiledEdge, CompiledWorkflow } from './compile.ts'

export type EdgeDecision = 'taken' | 'skipped'
export type NodePhase = 'invoked' | 'skipped'

export interface RunState {
  readonly workflow: CompiledWorkflow
  readonly run: RunRecord
  readonly invocations: ReadonlyMap<InvocationId, InvocationRecord>
  /** By edge index; undefined while undecided. */
  readonly edgeDecisions: readonly (EdgeDecision | undefined)[]
  /** By node index; undefined while nothing was decided about the node. */
  readonly nodePhases: readonly (NodePhase | undefined)[]
  /** By node index: how many of its ways in were taken, and decided at all. */
  readonly takenCounts: readonly number[]
  readonly decidedCounts: readonly number[]
  /** Invocations that aren't final, and how many of them are parked. */
  readonly activeCount: number
  readonly parkedCount: number
  /** Available invocations in order of registration: what a free slot may take next. */
  readonly available: ReadonlySet<InvocationId>
}

/** The same with the right to write; only `applyChanges` and `createRunState` have it. */
export interface MutableRunState extends RunState {
  run: RunRecord
  readonly invocations: Map<InvocationId, InvocationRecord>
  readonly edgeDecisions: (EdgeDecision | undefined)[]
  readonly nodePhases: (NodePhase | undefined)[]
  readonly takenCounts: number[]
  readonly decidedCounts: number[]
  activeCount: number
  parkedCount: number
  readonly available: Set<InvocationId>
}

/** What one decision changes in memory once it is committed. */
export interface StateChanges {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  readonly edges: ReadonlyMap<number, EdgeDecision>
  readonly nodes: ReadonlyMap<number, NodePhase>
}

/** An empty state for a run that has just been made. */
export function createRunState(workflow: CompiledWorkflow, run: RunRecord): MutableRunState {
  const zeros = workflow.nodes.map(() => 0)
  return {
    workflow,
    run,
    invocations: new Map(),
    edgeDecisions: workflow.edges.map(() => undefined),
    nodePhases: workflow.nodes.map(() => undefined),
    takenCounts: zeros,
    decidedCounts: [...zeros],
    activeCount: 0,
    parkedCount: 0,
    available: new Set(),
  }
}

/** Makes a committed decision part of the state. */
export function applyChanges(state: MutableRunState, changes: StateChanges): void {
  state.run = changes.run
  for (const record of changes.invocations) applyInvocation(state, record)
  for (const [index, decision] of changes.edges) applyEdge(state, index, decision)
  for (const [index, phase] of changes.nodes) state.nodePhases[index] = phase
}

function applyInvocation(state: MutableRunState, record: InvocationRecord): void {
  const before = state.invocations.get(record.id)
  state.invocations.set(record.id, record)
  state.activeCount += (isActive(record) ? 1 : 0) - (before !== undefined && isActive(before) ? 1 : 0)
  state.parkedCount += (isParked(record) ? 1 : 0) - (before !== undefined && isParked(before) ? 1 : 0)
  if (invocationMachine.available.has(record.status)) state.available.add(record.id)
  else state.available.delete(record.id)
}

function applyEdge(state: MutableRunState, index: number, decision: EdgeDecision): void {
  const edge = state.workflow.edges[index]
  if (edge === undefined || state.edgeDecisions[index] !== undefined) return
  state.edgeDecisions[index] = decision
  const node = edge.to.index
  state.decidedCounts[node] = (state.decidedCounts[node] ?? 0) + 1
  if (decision === 'taken') state.takenCounts[node] = (state.takenCounts[node] ?? 0) + 1
}

export const isActive = (record: InvocationRecord): boolean => !invocationMachine.final.has(record.status)

/** Parked invocations hold no slot and wait for something with a name. */
export const isParked = (record: InvocationRecord): boolean =>
  record.status === 'WAITING' || record.status === 'APPROVAL_REQUIRED'

/** The id that the forward invocation of a node has in the run's current generation. */
export function forwardId(run: RunRecord, nodeId: NodeId): InvocationId {
  return invocationIdOf({ runId: run.id, generation: run.generation, nodeId, path: '', role: 'forward' })
}

/**
 * How a final invocation decides one of its ways out; null when it decides nothing because the run ends
 * with it (an unhandled failure, a cancelled run).
 */
export function decisionOf(record: InvocationRecord, edge: CompiledEdge): EdgeDecision | null {
  if (!invocationMachine.final.has(record.status)) return null
  // However it ended: the join that it led to has gone on without it.
  if (isLoser(record)) return 'skipped'
  if (record.status === 'SUCCESS') {
    const taken = record.ports === null ? edge.port !== errorPort : record.ports.includes(edge.port)
    return taken ? 'taken' : 'skipped'
  }
  if (record.ports !== null) return record.ports.includes(edge.port) ? 'taken' : 'skipped'
  if (record.status === 'CANCELLED' && record.cause.kind === 'skipped') return 'skipped'
  return null
}

/** The cause's kind of what was under way when its join needed it no longer. */
export const loserCause = 'loser'

/** Cancelled for the branch's sake, not for the run's: its end decides nothing about the run. */
export const isLoser = (record: InvocationRecord): boolean => record.cause.kind === loserCause
