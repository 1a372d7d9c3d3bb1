/**
 * From decided edges to what runs next: joins, branches, skipped nodes. An explicit worklist instead of
 * recursion, so that a chain of ten thousand skipped nodes is no deeper than one.
 */

import { errorRecord } from '../model/errors.ts'
import { invocationIdOf } from '../model/ids.ts'
import type { Cause, InvocationRecord } from '../model/invocation.ts'
import type { CompiledEdge, CompiledNode } from './compile.ts'
import { addEvent, addInvocation, moveInvocation, recordOf } from './draft.ts'
import type { Draft } from './draft.ts'
import { cancelLosers } from './losers.ts'
import { inlineInput, nodeInput } from './node-input.ts'
import { decisionOf, forwardId } from './run-state.ts'
import type { EdgeDecision } from './run-state.ts'
import { startNow } from './start-now.ts'
import { isStopping, noteFailure } from './stopping.ts'

/** Decides the ways out of a final invocation and follows them as far as they lead. */
export function propagateFrom(draft: Draft, node: CompiledNode, record: InvocationRecord): void {
  const open: CompiledNode[] = []
  decideWaysOut(draft, node, record, open)
  follow(draft, open)
}

/** Invokes the nodes that nothing leads to. */
export function propagateStart(draft: Draft): void {
  const open: CompiledNode[] = []
  for (const node of draft.state.workflow.starts) invoke(draft, node, open)
  follow(draft, open)
}

function follow(draft: Draft, open: CompiledNode[]): void {
  for (let node = open.pop(); node !== undefined; node = open.pop()) consider(draft, node, open)
}

function decideWaysOut(
  draft: Draft,
  node: CompiledNode,
  record: InvocationRecord,
  open: CompiledNode[],
): void {
  // Backwards, because the worklist is a stack and branches should register in drawn order.
  for (let place = node.waysOut.length - 1; place >= 0; place -= 1) {
    const edge = node.waysOut[place]
    if (edge === undefined) continue
    const decision = decisionOf(record, edge)
    if (decision !== null) decideEdge(draft, edge, decision, open)
  }
}

/** Decides an edge once; later decisions about it change nothing. */
export function decideEdge(
  draft: Draft,
  edge: CompiledEdge,
  decision: EdgeDecision,
  open: CompiledNode[],
): void {
  if (draft.edges.has(edge.index) || draft.state.edgeDecisions[edge.index] !== undefined) return
  draft.edges.set(edge.index, decision)
  const target = edge.to.index
  draft.decidedCounts.set(target, (draft.decidedCounts.get(target) ?? 0) + 1)
  if (decision === 'taken') draft.takenCounts.set(target, (draft.takenCounts.get(target) ?? 0) + 1)
  open.push(edge.to)
}

function consider(draft: Draft, node: CompiledNode, open: CompiledNode[]): void {
  const { state } = draft
  if (draft.nodes.has(node.index) || state.nodePhases[node.index] !== undefined) return
  const decided = (state.decidedCounts[node.index] ?? 0) + (draft.decidedCounts.get(node.index) ?? 0)
  const taken = (state.takenCounts[node.index] ?? 0) + (draft.takenCounts.get(node.index) ?? 0)
  const complete = decided === node.waysIn.length
  const needed = node.join.mode === 'count' ? node.join.count : 1
  const satisfied = node.join.mode === 'all' ? complete && taken > 0 : taken >= needed
  if (satisfied) {
    if (node.join.cancelLosers && !complete) cancelLosers(draft, node)
    invoke(draft, node, open)
  } else if (complete && taken === 0) {
    skip(draft, node, open)
  } else if (complete) {
    failJoin(draft, node, taken)
  }
}

function skip(draft: Draft, node: CompiledNode, open: CompiledNode[]): void {
  draft.nodes.set(node.index, 'skipped')
  addEvent(draft, {
    invocationId: null,
    cause: { kind: 'skipped', by: null, detail: null },
    body: { type: 'node.skipped', nodeId: node.id, path: '', generation: draft.run.generation },
  })
  for (const edge of node.waysOut) decideEdge(draft, edge, 'skipped', open)
}

function invoke(draft: Draft, node: CompiledNode, open: CompiledNode[]): void {
  if (node.behaviour === 'skip') {
    skip(draft, node, open)
    return
  }
  if (isStopping(draft)) return
  const record = register(draft, node)
  if (node.behaviour === 'pass-on' && passOn(draft, node, record, open)) return
  startNow(draft, record)
}

function register(draft: Draft, node: CompiledNode): InvocationRecord {
  const { run, context } = draft
  const record: InvocationRecord = {
    id: invocationIdOf({
      runId: run.id,
      generation: run.generation,
      nodeId: node.id,
      path: '',
      role: 'forward',
    }),
    runId: run.id,
    nodeId: node.id,
    taskKind: node.kind,
    generation: run.generation,
    path: '',
    role: 'forward',
    status: 'REGISTERED',
    version: 1,
    priority: node.priority ?? run.priority,
    pool: node.pool,
    tags: node.tags,
    lease: null,
    fence: null,
    attempt: 0,
    failureCount: 0,
    crashCount: 0,
    registeredAt: context.now,
    notBefore: null,
    startedAt: null,
    deadlineAt: null,
    finishedAt: null,
    cancelRequestedAt: null,
    waitReason: null,
    cause: registrationCause(draft),
    input: null,
    output: null,
    ports: null,
    error: null,
  }
  draft.nodes.set(node.index, 'invoked')
  addInvocation(draft, record)
  return record
}

function registrationCause(draft: Draft): Cause {
  if (draft.created) return { kind: 'start', by: draft.run.id, detail: null }
  const { cause } = draft.context
  return { kind: 'upstream', by: cause.by, detail: null }
}

/** Control nodes hand on what arrives, in the same checkpoint, as long as that needs no blob. */
function passOn(draft: Draft, node: CompiledNode, record: InvocationRecord, open: CompiledNode[]): boolean {
  const output = inlineInput(nodeInput(draftLookup(draft), node))
  if (output === null) return false
  const done = moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { output, startedAt: draft.context.now },
  })
  decideWaysOut(draft, node, done, open)
  return true
}

function failJoin(draft: Draft, node: CompiledNode, taken: number): void {
  if (isStopping(draft)) return
  const record = register(draft, node)
  const message = `“${node.id}” waits for ${node.join.count} branches, but only ${taken} arrived.`
  const error = errorRecord('join_unsatisfied', {
    message,
    details: { needed: node.join.count, arrived: taken },
  })
  moveInvocation(draft, record.id, { to: 'FAILED', set: { error } })
  noteFailure(draft, error)
}

function draftLookup(draft: Draft) {
  return {
    runInput: draft.run.input,
    isTaken: (edge: CompiledEdge) =>
      (draft.edges.get(edge.index) ?? draft.state.edgeDecisions[edge.index]) === 'taken',
    record: (node: CompiledNode) => recordOf(draft, forwardId(draft.run, node.id)),
  }
}
