/** The state of a run from its records: what a restart, or a commit by somebody else, makes necessary. */

import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import type { CompiledEdge, CompiledNode, CompiledWorkflow } from './compile.ts'
import { isMoot, readinessOf } from './join.ts'
import type { EdgeDecision, MutableRunState, NodePhase } from './run-state.ts'
import { applyChanges, createRunState, decisionOf } from './run-state.ts'

/**
 * Follows the edges of finished invocations as the decisions did, without making new ones: nodes with a
 * record are invoked, nodes whose ways in are all skipped are skipped.
 */
export function rebuildRunState(
  workflow: CompiledWorkflow,
  run: RunRecord,
  invocations: readonly InvocationRecord[],
): MutableRunState {
  const state = createRunState(workflow, run)
  const current = invocations.filter((record) => record.generation === run.generation && record.path === '')
  const nodes = new Map<number, NodePhase>()
  for (const record of current) {
    const node = workflow.nodeById.get(record.nodeId)
    if (node !== undefined && record.role === 'forward') nodes.set(node.index, 'invoked')
  }
  applyChanges(state, { run, invocations, edges: new Map(), nodes })
  const open: CompiledNode[] = []
  for (const record of current) {
    const node = workflow.nodeById.get(record.nodeId)
    if (node === undefined || !invocationMachine.final.has(record.status)) continue
    for (const edge of node.waysOut) decide(state, edge, { decision: decisionOf(record, edge), open })
  }
  for (const node of workflow.starts) open.push(node)
  for (let node = open.pop(); node !== undefined; node = open.pop()) followSkipped(state, node, open)
  return state
}

function decide(
  state: MutableRunState,
  edge: CompiledEdge,
  made: { readonly decision: EdgeDecision | null; readonly open: CompiledNode[] },
): void {
  if (made.decision === null || state.edgeDecisions[edge.index] !== undefined) return
  applyChanges(state, {
    run: state.run,
    invocations: [],
    edges: new Map([[edge.index, made.decision]]),
    nodes: new Map(),
  })
  made.open.push(edge.to)
}

function followSkipped(state: MutableRunState, node: CompiledNode, open: CompiledNode[]): void {
  if (state.nodePhases[node.index] !== undefined) return
  const decided = state.decidedCounts[node.index] ?? 0
  const taken = state.takenCounts[node.index] ?? 0
  const readiness = readinessOf(node, { decided, taken })
  // A node that was ready and has no record wasn't worth one, or its run was stopping.
  const passedOver =
    readiness === 'ready' &&
    (node.behaviour === 'skip' || isMoot(node, (join) => state.nodePhases[join.index]))
  if (readiness !== 'skipped' && !passedOver) return
  state.nodePhases[node.index] = 'skipped'
  for (const edge of node.waysOut) decide(state, edge, { decision: 'skipped', open })
}

/** The skipped nodes of a state, for a snapshot. */
export function skippedNodes(state: MutableRunState) {
  const { generation } = state.run
  return state.workflow.nodes
    .filter((node) => state.nodePhases[node.index] === 'skipped')
    .map((node) => ({ nodeId: node.id, path: '', generation }))
}
