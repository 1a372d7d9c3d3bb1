/**
 * From decided edges to what runs next: joins, branches, skipped nodes. An explicit worklist instead of
 * recursion, so that a chain of ten thousand skipped nodes is no deeper than one.
 */

import { errorRecord } from '../model/errors.ts'
import { invocationIdOf } from '../model/ids.ts'
import type { Cause, InvocationRecord } from '../model/invocation.ts'
import { newInvocation } from '../model/new-records.ts'
import type { CompiledEdge, CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { addEvent, addInvocation, moveInvocation, recordOf } from './draft.ts'
import { handlingPorts } from './handling-ports.ts'
import { isMoot, readinessOf } from './join.ts'
import { cancelLosers } from './losers.ts'
import { arrivalsOf, arrivalsText, inlineInput, nodeInput } from './node-input.ts'
import { routeAt } from './routing/node-route.ts'
import type { EdgeDecision } from './run-state.ts'
import { decisionOf, forwardId } from './run-state.ts'
import { startNow } from './start-now.ts'
import { isStopping, noteFailure } from './stopping.ts'

/** Decides the ways out of a final invocation and follows them as far as they lead. */
export function propagateFrom(draft: Draft, node: CompiledNode, record: InvocationRecord): void {
  const open: CompiledNode[] = []
  decideWaysOut(draft, { node, record }, open)
  follow(draft, open)
}

/** Invokes the nodes that nothing leads to. */
export function propagateStart(draft: Draft): void {
  const open: CompiledNode[] = []
  for (const node of draft.state.workflow.starts) invoke(draft, node, open)
  follow(draft, open)
}

/** Invokes one node whose turn has come for another reason than an edge. */
export function propagateInto(draft: Draft, node: CompiledNode): void {
  const open: CompiledNode[] = []
  invoke(draft, node, open)
  follow(draft, open)
}

function follow(draft: Draft, open: CompiledNode[]): void {
  for (let node = open.pop(); node !== undefined; node = open.pop()) consider(draft, node, open)
}

function decideWaysOut(
  draft: Draft,
  ended: { readonly node: CompiledNode; readonly record: InvocationRecord },
  open: CompiledNode[],
): void {
  const { node, record } = ended
  // Backwards, because the worklist is a stack and branches should register in drawn order.
  for (let place = node.waysOut.length - 1; place >= 0; place -= 1) {
    const edge = node.waysOut[place]
    if (edge === undefined) continue
    const decision = decisionOf(record, edge)
    if (decision !== null) decideEdge(draft, { edge, decision }, open)
  }
}

/** Decides an edge once; later decisions about it change nothing. */
function decideEdge(
  draft: Draft,
  made: { readonly edge: CompiledEdge; readonly decision: EdgeDecision },
  open: CompiledNode[],
): void {
  const { edge, decision } = made
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
  switch (readinessOf(node, { decided, taken })) {
    case 'ready':
      invoke(draft, node, open)
      return
    case 'skipped':
      skip(draft, node, open)
      return
    case 'unsatisfied':
      failJoin(draft, node, { taken, open })
      return
    case 'waits':
      return
  }
}

function skip(draft: Draft, node: CompiledNode, open: CompiledNode[]): void {
  draft.nodes.set(node.index, 'skipped')
  addEvent(draft, {
    invocationId: null,
    cause: { kind: 'skipped', by: null, detail: null },
    body: { type: 'node.skipped', nodeId: node.id, path: '', generation: draft.run.generation },
  })
  for (const edge of node.waysOut) decideEdge(draft, { edge, decision: 'skipped' }, open)
}

function invoke(draft: Draft, node: CompiledNode, open: CompiledNode[]): void {
  const phaseOf = (join: CompiledNode) => draft.nodes.get(join.index) ?? draft.state.nodePhases[join.index]
  if (node.behaviour === 'skip' || isMoot(node, phaseOf)) {
    skip(draft, node, open)
    return
  }
  if (isStopping(draft)) return
  const record = register(draft, node)
  for (const loser of cancelLosers(draft, node)) {
    const ended = recordOf(draft, forwardId(draft.run, loser.id))
    if (ended !== undefined) decideWaysOut(draft, { node: loser, record: ended }, open)
  }
  if (node.behaviour === 'pass-on' && passOn(draft, { node, record }, open)) return
  startNow(draft, record)
}

function register(draft: Draft, node: CompiledNode): InvocationRecord {
  const { run, context } = draft
  const record = newInvocation({
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
    priority: node.priority ?? run.priority,
    pool: node.pool,
    tags: node.tags,
    registeredAt: context.now,
    permits: node.permits === null ? null : node.permits.plan,
    route: node.route === null ? null : routeAt(node.route, context.now),
    cause: registrationCause(draft, node),
  })
  draft.nodes.set(node.index, 'invoked')
  addInvocation(draft, record)
  return record
}

/** A join that doesn't wait for all keeps what had arrived: what comes later must not change its input. */
function registrationCause(draft: Draft, node: CompiledNode): Cause {
  const arrived = arrivalsText(node, (edge) => isTaken(draft, edge))
  if (draft.created) return { kind: 'start', by: draft.run.id, detail: arrived }
  const { cause } = draft.context
  return { kind: 'upstream', by: cause.by, detail: arrived }
}

/** Control nodes hand on what arrives, in the same checkpoint, as long as that needs no blob. */
function passOn(
  draft: Draft,
  ready: { readonly node: CompiledNode; readonly record: InvocationRecord },
  open: CompiledNode[],
): boolean {
  const { node, record } = ready
  const lookup = {
    runInput: draft.run.input,
    arrived: arrivalsOf(node, record),
    isTaken: (edge: CompiledEdge) => isTaken(draft, edge),
    record: (from: CompiledNode) => recordOf(draft, forwardId(draft.run, from.id)),
  }
  const output = inlineInput(nodeInput(lookup, node))
  if (output === null) return false
  const done = moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { output, startedAt: draft.context.now },
  })
  decideWaysOut(draft, { node, record: done }, open)
  return true
}

function failJoin(
  draft: Draft,
  node: CompiledNode,
  arrived: { readonly taken: number; readonly open: CompiledNode[] },
): void {
  const { taken, open } = arrived
  if (isStopping(draft)) return
  const record = register(draft, node)
  const message = `“${node.id}” waits for ${node.join.count} branches, but only ${taken} arrived.`
  const details = { needed: node.join.count, arrived: taken, nodeId: node.id }
  const error = errorRecord('join_unsatisfied', { message, details })
  const ports = handlingPorts(node)
  const failed = moveInvocation(draft, record.id, { to: 'FAILED', set: { error, ports } })
  if (ports === null) noteFailure(draft, error)
  else decideWaysOut(draft, { node, record: failed }, open)
}

const isTaken = (draft: Draft, edge: CompiledEdge): boolean =>
  (draft.edges.get(edge.index) ?? draft.state.edgeDecisions[edge.index]) === 'taken'
