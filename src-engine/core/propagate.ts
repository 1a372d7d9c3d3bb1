/**
 * From decided edges to what runs next: joins, branches, skipped nodes. An explicit worklist instead of
 * recursion, so that a chain of ten thousand skipped nodes is no deeper than one.
 */

import { errorRecord } from '../model/errors.ts'
import type { Cause, InvocationRecord } from '../model/invocation.ts'
import { newInvocation } from '../model/new-records.ts'
import type { Payload } from '../model/payload.ts'
import type { CompiledEdge, CompiledNode } from './compile.ts'
import { breakpointOf } from './control/breakpoints.ts'
import { isPauseAsked } from './control/hold.ts'
import type { Arrivals, Draft, ScopeDraft } from './draft.ts'
import { addEvent, addInvocation, moveInvocation, nodeOf, recordOf, scopeAt } from './draft.ts'
import { handlingPorts } from './handling-ports.ts'
import { isMoot, readinessOf } from './join.ts'
import { cancelLosers } from './losers.ts'
import { arrivalsOf, arrivalsText, inlineInput, nodeInput } from './node-input.ts'
import { claimableFrom } from './permits/demand.ts'
import { poolAt, routeAt } from './routing/node-route.ts'
import type { EdgeDecision } from './run-state.ts'
import { decisionOf, forwardId } from './run-state.ts'
import { scopeInputOf } from './scope-input.ts'
import { startNow } from './start-now.ts'
import { isStopping, noteFailure, scopeStops } from './stopping.ts'
import {
  awaitBranches,
  beginsWaiting,
  endBranchWait,
  portsPassedOn,
  takenInto,
  waitingJoin,
} from './timed-joins.ts'

/** Nodes of one level that are still to be looked at. */
interface Open {
  readonly scope: ScopeDraft
  readonly nodes: CompiledNode[]
}

/** Decides the ways out of a final invocation and follows them as far as they lead. */
export function propagateFrom(draft: Draft, node: CompiledNode, record: InvocationRecord): void {
  // Nothing follows from a compensation but the next one.
  if (record.role !== 'forward') return
  const open: Open = { scope: scopeAt(draft, record.path), nodes: [] }
  decideWaysOut(draft, { node, record }, open)
  follow(draft, open)
}

/** Invokes the nodes that nothing leads to. */
export function propagateStart(draft: Draft): void {
  propagateInto(draft, draft, draft.state.workflow.starts)
}

/** Invokes the nodes of the run's own level that are ready and weren't; some of them before the others. */
export function propagateReady(draft: Draft, first: readonly CompiledNode[]): void {
  const { workflow } = draft.state
  // The output step has its turn once everything else has ended.
  const nodes = [...new Set([...first, ...workflow.nodes])].filter((node) => node !== workflow.outputStep)
  follow(draft, { scope: draft, nodes: nodes.reverse() })
}

/** Invokes nodes of a level whose turn has come for another reason than an edge. */
export function propagateInto(draft: Draft, scope: ScopeDraft, nodes: readonly CompiledNode[]): void {
  const open: Open = { scope, nodes: [] }
  for (const node of nodes) invoke(draft, node, open)
  follow(draft, open)
}

function follow(draft: Draft, open: Open): void {
  for (let node = open.nodes.pop(); node !== undefined; node = open.nodes.pop()) consider(draft, node, open)
}

function decideWaysOut(
  draft: Draft,
  ended: { readonly node: CompiledNode; readonly record: InvocationRecord },
  open: Open,
): void {
  const { node, record } = ended
  // Backwards, because the worklist is a stack and branches should register in drawn order.
  for (let place = node.waysOut.length - 1; place >= 0; place -= 1) {
    const edge = node.waysOut[place]
    if (edge === undefined) continue
    const decision = decisionOf(record, edge)
    if (decision !== null) decideEdge(edge, decision, open)
  }
}

/** Decides an edge once; later decisions about it change nothing. */
function decideEdge(edge: CompiledEdge, decision: EdgeDecision, open: Open): void {
  const { scope } = open
  if (scope.edges?.has(edge.index) === true || scope.before.edgeDecisions[edge.index] !== undefined) return
  scope.edges ??= new Map()
  scope.edges.set(edge.index, decision)
  if (edge.to.waysIn.length > 1) count(scope, edge.to, decision)
  open.nodes.push(edge.to)
}

function count(scope: ScopeDraft, { index }: CompiledNode, decision: EdgeDecision): void {
  scope.arrivals ??= new Map()
  const { decided, taken } = scope.arrivals.get(index) ?? nothingArrived
  scope.arrivals.set(index, { decided: decided + 1, taken: taken + (decision === 'taken' ? 1 : 0) })
}

const nothingArrived: Arrivals = { decided: 0, taken: 0 }

/** How many ways into the node are decided, and taken, counting those that this decision decided. */
function arrivalsAt(scope: ScopeDraft, node: CompiledNode): Arrivals {
  const [only, second] = node.waysIn
  if (only !== undefined && second === undefined) {
    // The one way into a step of a chain is its own count.
    const decision = scope.edges?.get(only.index) ?? scope.before.edgeDecisions[only.index]
    return { decided: decision === undefined ? 0 : 1, taken: decision === 'taken' ? 1 : 0 }
  }
  const { decided, taken } = scope.arrivals?.get(node.index) ?? nothingArrived
  const { decidedCounts, takenCounts } = scope.before
  return {
    decided: (decidedCounts[node.index] ?? 0) + decided,
    taken: (takenCounts[node.index] ?? 0) + taken,
  }
}

function consider(draft: Draft, node: CompiledNode, open: Open): void {
  const { scope } = open
  const { before } = scope
  const isInvoked = scope.nodes?.has(node.index) === true || before.nodePhases[node.index] !== undefined
  const waiting = isInvoked ? waitingJoin(draft, node, scope.path) : null
  if (isInvoked && waiting === null) return
  const arrived = arrivalsAt(scope, node)
  switch (readinessOf(node, arrived)) {
    case 'ready':
      invoke(draft, node, open)
      return
    case 'skipped':
      skip(draft, node, open)
      return
    case 'unsatisfied':
      failJoin(draft, node, { taken: arrived.taken, open })
      return
    case 'waits':
      if (waiting === null && beginsWaiting(node, arrived.taken)) beginWait(draft, node, open)
      return
  }
}

/** The first branch has come to a join that waits for the others for so long. */
function beginWait(draft: Draft, node: CompiledNode, { scope }: Open): void {
  if (isMootAt(draft, node, scope) || isStopping(draft) || scopeStops(draft, scope)) return
  awaitBranches(draft, node, register(draft, node, scope))
}

function skip(draft: Draft, node: CompiledNode, open: Open): void {
  const { scope } = open
  scope.nodes ??= new Map()
  scope.nodes.set(node.index, 'skipped')
  addEvent(draft, {
    invocationId: null,
    cause: { kind: 'skipped', by: null, detail: null },
    body: { type: 'node.skipped', nodeId: node.id, path: scope.path, generation: draft.run.generation },
  })
  for (const edge of node.waysOut) decideEdge(edge, 'skipped', open)
}

function invoke(draft: Draft, node: CompiledNode, open: Open): void {
  const { scope } = open
  if (node.behaviour === 'skip' || isMootAt(draft, node, scope)) {
    skip(draft, node, open)
    return
  }
  if (isStopping(draft) || scopeStops(draft, scope)) return
  const waiting = waitingJoin(draft, node, scope.path)
  const record = waiting ?? register(draft, node, scope)
  giveUpLosers(draft, node, open)
  const cause = waiting === null ? record.cause : registrationCause(draft, node, scope)
  const isAtOnce = node.behaviour === 'pass-on' && node.skip === null && !isPauseAsked(record)
  if (isAtOnce && breakpointOf(draft.run, record) === null) {
    if (passOn(draft, { node, record: { ...record, cause } }, open)) return
  }
  startNow(draft, waiting === null ? record : endBranchWait(draft, waiting, cause))
}

function giveUpLosers(draft: Draft, node: CompiledNode, open: Open): void {
  for (const loser of cancelLosers(draft, node, open.scope.path)) {
    const ended = recordOf(draft, forwardId(draft.state, loser.id, open.scope.path))
    if (ended !== undefined) decideWaysOut(draft, { node: loser, record: ended }, open)
  }
}

/** A join that still waits has cancelled nobody. */
function isMootAt(draft: Draft, node: CompiledNode, scope: ScopeDraft): boolean {
  return isMoot(node, (join) => {
    const phase = scope.nodes?.get(join.index) ?? scope.before.nodePhases[join.index]
    return phase === 'invoked' && waitingJoin(draft, join, scope.path) !== null ? undefined : phase
  })
}

function register(draft: Draft, node: CompiledNode, scope: ScopeDraft): InvocationRecord {
  const { run, context } = draft
  const rules = context.pools ?? null
  const route = node.route === null && rules === null ? null : routeAt(node, rules, context.now)
  const record = newInvocation({
    id: forwardId(draft.state, node.id, scope.path),
    runId: run.id,
    nodeId: node.id,
    taskKind: node.kind,
    generation: run.generation,
    path: scope.path,
    priority: node.priority ?? run.priority,
    pool: route === null ? node.pool : poolAt(node, route),
    tags: node.tags,
    permits: node.permits?.plan ?? null,
    notBefore: node.permits === null ? null : claimableFrom(node.permits, context.now),
    route,
    registeredAt: context.now,
    cause: registrationCause(draft, node, scope),
  })
  scope.nodes ??= new Map()
  scope.nodes.set(node.index, 'invoked')
  addInvocation(draft, record)
  return record
}

/** A join that doesn't wait for all keeps what had arrived: what comes later must not change its input. */
function registrationCause(draft: Draft, node: CompiledNode, scope: ScopeDraft): Cause {
  const arrived = arrivalsText(node, (edge) => isTaken(scope, edge))
  if (draft.state.run.status === 'CREATED') return { kind: 'start', by: draft.run.id, detail: arrived }
  const { cause } = draft.context
  // Where a person has the run go on: nothing upstream has just ended.
  const kind = cause.kind === retryCause ? retryCause : 'upstream'
  return { kind, by: cause.by, detail: arrived }
}

/** Control nodes hand on what arrives, in the same checkpoint, as long as that needs no blob. */
function passOn(
  draft: Draft,
  ready: { readonly node: CompiledNode; readonly record: InvocationRecord },
  open: Open,
): boolean {
  const { node, record } = ready
  const output = arrivedAt(draft, node, record)
  if (output === null) return false
  const { cause } = record
  const done = moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { output, startedAt: draft.context.now, cause, ports: portsPassedOn(node, record) },
  })
  decideWaysOut(draft, { node, record: done }, open)
  return true
}

/** What arrived at a step of the level at hand; null when that needs a blob. */
function arrivedAt(draft: Draft, node: CompiledNode, record: InvocationRecord): Payload | null {
  const scope = scopeAt(draft, record.path)
  const lookup = {
    scopeInput: scopeInputOf(draft.state, scope.path, (id) => recordOf(draft, id)),
    arrived: arrivalsOf(node, record),
    isTaken: (edge: CompiledEdge) => isTaken(scope, edge),
    record: (from: CompiledNode) => recordOf(draft, forwardId(draft.state, from.id, scope.path)),
  }
  return inlineInput(nodeInput(lookup, node))
}

/** The time of a join is over: it goes on with what has come, by the way for that, or fails. */
export function endJoinInTime(draft: Draft, record: InvocationRecord): void {
  const node = nodeOf(draft, record)
  const scope = scopeAt(draft, record.path)
  const open: Open = { scope, nodes: [] }
  const cause = { kind: 'timeout', by: null, detail: arrivalsText(node, (edge) => isTaken(scope, edge)) }
  const late = { ...record, cause, wait: { kind: 'join', isLate: true } } as const
  if (node.join.rules.onTimeout === 'fail') failLate(draft, node, { record, cause, open })
  else if (isPauseAsked(record) || !passOn(draft, { node, record: late }, open)) {
    const set = { cause, wait: late.wait }
    startNow(draft, moveInvocation(draft, record.id, { to: 'REROUTED', cause, set }))
  }
  giveUpLosers(draft, node, open)
  follow(draft, open)
}

function failLate(
  draft: Draft,
  node: CompiledNode,
  at: { readonly record: InvocationRecord; readonly cause: Cause; readonly open: Open },
): void {
  const { record, cause, open } = at
  const taken = takenInto(open.scope, node)
  const ways = node.waysIn.length
  const message = `“${node.id}” has ${ways} ways in, and only ${taken} had been taken when its time was over.`
  const error = errorRecord('join_timeout', { message, details: { arrived: taken, ways, nodeId: node.id } })
  const ports = handlingPorts(node)
  const failed = moveInvocation(draft, record.id, { to: 'TIMEOUT', cause, set: { error, ports, cause } })
  if (ports === null) noteFailure(draft, error, open.scope.path)
  else decideWaysOut(draft, { node, record: failed }, open)
}

/** The cause's kind of a decision that has an ended run go on. */
const retryCause = 'retry'

function failJoin(
  draft: Draft,
  node: CompiledNode,
  arrived: { readonly taken: number; readonly open: Open },
): void {
  const { taken, open } = arrived
  if (isStopping(draft) || scopeStops(draft, open.scope)) return
  const record = waitingJoin(draft, node, open.scope.path) ?? register(draft, node, open.scope)
  const message = `“${node.id}” waits for ${node.join.count} branches, but only ${taken} arrived.`
  const details = { needed: node.join.count, arrived: taken, nodeId: node.id }
  const error = errorRecord('join_unsatisfied', { message, details })
  const ports = handlingPorts(node)
  const failed = moveInvocation(draft, record.id, { to: 'FAILED', set: { error, ports } })
  if (ports === null) noteFailure(draft, error, open.scope.path)
  else decideWaysOut(draft, { node, record: failed }, open)
}

const isTaken = (scope: ScopeDraft, edge: CompiledEdge): boolean =>
  (scope.edges?.get(edge.index) ?? scope.before.edgeDecisions[edge.index]) === 'taken'
