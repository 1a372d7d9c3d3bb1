/**
 * Having an ended run go on: what failed, a step of choice, and all that follows them begin anew under the
 * next generation, with new idempotency keys. Everything else keeps its result.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash, NodeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import { idleUntil } from '../../model/run-time.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { CompiledNode, CompiledWorkflow } from '../compile.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { addEvent, changeRun, createDraft, finishDraft, recordOf, touchInvocation } from '../draft.ts'
import { keptGenerations, withDescendants } from '../generations.ts'
import { readinessOf } from '../join.ts'
import { registerGate } from '../policy/gate.ts'
import { propagateReady } from '../propagate.ts'
import { rebuildWithout, skippedNodes } from '../rebuild.ts'
import type { MutableRunState, RunState } from '../run-state.ts'
import { forwardId, isCurrent, isLoser, wasHandedOn } from '../run-state.ts'
import { settle } from '../settle.ts'
import { isStop } from '../stopping.ts'
import { dispatchWith } from './hold.ts'

export interface RetryRequest {
  /** The step to begin with, beside all that stand in the run's way; null for only those. */
  readonly nodeId: NodeId | null
  /** What arrives at that step instead of what did; null to leave it. */
  readonly input: Payload | null
  /** What the run is bound to from now on; the version it was bound to, or another one. */
  readonly workflow: CompiledWorkflow
  readonly hash: DefinitionHash
  /** The version to publish with it; null when it is known. */
  readonly publish: WorkflowVersion | null
  /**
   * What each step means in the version that the run was bound to, and in the other one: a result is kept
   * only where these are the same. Null for the same version.
   */
  readonly meanings: { readonly before: Meanings; readonly after: Meanings } | null
  /** Dead letters of the run; those of the steps that begin anew are settled by it. */
  readonly letters: readonly { readonly id: string; readonly nodeId: NodeId | null }[]
  /** Whether a policy counts: then a run that never began is asked about before it does; false when absent. */
  readonly asksAtStart?: boolean
}

export type Meanings = ReadonlyMap<NodeId, string>

/**
 * Throws `run_not_final`, `run_not_retryable`, `invocation_not_found`, `step_not_retryable`,
 * `nothing_to_retry`, `kept_results_do_not_fit`.
 */
export function retryRun(state: RunState, context: DecisionContext, request: RetryRequest): Decision {
  refuseOthers(state.run)
  const roots = rootsOf(state, request)
  const { base, first } = baseOf(state, request, { roots, context })
  if (request.meanings !== null) {
    const before = withDescendants(rootsOf(state, { ...request, workflow: state.workflow }))
    refuseMisfits(state, base, { before, meanings: request.meanings })
  }
  const draft = createDraft(base, context)
  reopen(draft, request)
  for (const { nodeId, path, generation } of skippedNodes(base)) {
    const cause = { kind: 'skipped', by: null, detail: null }
    addEvent(draft, { invocationId: null, cause, body: { type: 'node.skipped', nodeId, path, generation } })
  }
  // Whether the run may start is asked anew; all its steps come after that.
  if (roots.has(request.workflow.gate)) registerGate(draft)
  else beginAnew(draft, first)
  if (request.nodeId !== null && request.input !== null) giveInput(draft, request.nodeId, request.input)
  settle(draft)
  refuseSameEnd(draft)
  refuseUnreached(draft)
  return withExtras(finishDraft(draft), base, request)
}

/** Before the joins that may go on without them: each must have its record. */
function beginAnew(draft: Draft, first: ReadonlySet<CompiledNode>): void {
  const below = withDescendants([...first].flatMap((node) => node.waysOut.map(({ to }) => to)))
  propagateReady(
    draft,
    [...first].filter((node) => !below.has(node)),
  )
}

function refuseOthers(run: RunRecord): void {
  const { id, status } = run
  const details = { runId: id, status }
  if (!runMachine.final.has(status)) {
    throw new SagasmithError('run_not_final', { message: `The run ${id} is still ${status}.`, details })
  }
  if (runMachine.validateTransition(status, 'RUNNING', { kind: 'operator', id: null }) !== null) {
    throw new SagasmithError('run_not_retryable', {
      message: `The run ${id} is ${status}: there is nothing in it to do again.`,
      details,
    })
  }
}

/** The steps that begin anew for a reason of their own. */
function rootsOf(state: RunState, request: RetryRequest): ReadonlySet<CompiledNode> {
  const roots = new Set<CompiledNode>()
  for (const record of state.invocations.values()) {
    if (record.path !== '' || record.role !== 'forward' || !isCurrent(state, record)) continue
    const node = request.workflow.nodeById.get(record.nodeId)
    if (node !== undefined && standsInTheWay(state.run, record)) roots.add(outermost(node))
  }
  if (request.nodeId !== null) roots.add(namedNode(state, request.nodeId, request))
  if (request.asksAtStart === true && state.invocations.size === 0) roots.add(request.workflow.gate)
  return roots
}

/** Ended in a way that nothing in the run deals with. */
function standsInTheWay({ error }: RunRecord, record: InvocationRecord): boolean {
  if (error !== null && isStop(error) && error.details['nodeId'] === record.nodeId) return true
  if (wasHandedOn(record)) return true
  if (record.status === 'SUCCESS' || record.ports !== null || isLoser(record)) return false
  return !(record.status === 'CANCELLED' && record.cause.kind === 'skipped')
}

function namedNode(state: RunState, nodeId: NodeId, { workflow, input }: RetryRequest): CompiledNode {
  const node = workflow.nodeById.get(nodeId)
  const begun = [...state.invocations.values()].some(
    (record) => record.nodeId === nodeId && isCurrent(state, record),
  )
  const details = { runId: state.run.id, nodeId }
  if (node === undefined || !begun) {
    throw new SagasmithError('invocation_not_found', {
      message: `The step “${nodeId}” of run ${state.run.id} hasn’t begun, or there is none of that name.`,
      details,
    })
  }
  const takesInput = node.behaviour === 'run' && node.container === null && node !== workflow.outputStep
  if (input !== null && !takesInput) {
    throw new SagasmithError('step_not_retryable', {
      message: `The step “${nodeId}” can’t be given another input: it stands in a map or loop, or only hands on.`,
      details,
    })
  }
  return outermost(node)
}

/** Items and turns begin anew together with their map or loop. */
function outermost(node: CompiledNode): CompiledNode {
  let at = node
  while (at.container !== null) at = at.container
  return at
}

interface Base {
  /** The run as it was, without what begins anew. */
  readonly base: MutableRunState
  /** What begins anew for a reason of its own. */
  readonly first: ReadonlySet<CompiledNode>
}

function baseOf(
  state: RunState,
  { workflow, hash }: RetryRequest,
  given: { readonly roots: ReadonlySet<CompiledNode>; readonly context: DecisionContext },
): Base {
  const { now } = given.context
  const run: RunRecord = {
    ...state.run,
    definitionHash: hash,
    workflowTitle: workflow.document.title,
    generation: state.run.generation + 1,
    deadlineAt: workflow.timeoutMs === null ? null : now + workflow.timeoutMs,
    cancelRequestedAt: null,
    pauseRequestedAt: null,
    output: null,
    error: null,
  }
  const invocations = [...state.invocations.values()]
  // What was ready when the run ended begins now, and so does all that follows it.
  for (let first = given.roots; ; ) {
    const again = withDescendants(first)
    const base = rebuildWithout(workflow, run, { invocations, again })
    if (first.has(workflow.gate)) return { base, first }
    const ready = readyNodes(base).filter((node) => !again.has(node))
    if (ready.length === 0) return { base, first }
    first = new Set([...first, ...ready])
  }
}

const readyNodes = (base: RunState): readonly CompiledNode[] =>
  base.workflow.nodes.filter((node) => {
    if (node === base.workflow.outputStep || base.nodePhases[node.index] !== undefined) return false
    const taken = base.takenCounts[node.index] ?? 0
    const decided = base.decidedCounts[node.index] ?? 0
    const readiness = readinessOf(node, { taken, decided })
    return readiness === 'ready' || readiness === 'unsatisfied'
  })

/** What is kept must mean the same in the other version, and must have counted before. */
function refuseMisfits(
  state: RunState,
  base: RunState,
  kept: {
    /** What begins anew by the version that the run was bound to. */
    readonly before: ReadonlySet<CompiledNode>
    readonly meanings: NonNullable<RetryRequest['meanings']>
  },
): void {
  const { before, meanings } = kept
  const endsAnew = (nodeId: NodeId): boolean => {
    const node = state.workflow.nodeById.get(nodeId)
    return node !== undefined && before.has(node)
  }
  const misfits = new Set<NodeId>()
  for (const record of state.invocations.values()) {
    if (record.path !== '' || record.role !== 'forward') continue
    const { nodeId, generation } = record
    const counts = isCurrent(state, record)
    const isKept = base.kept?.get(nodeId) === generation
    const isGone = base.workflow.nodeById.get(nodeId)?.container !== null && counts && !endsAnew(nodeId)
    const changed = meanings.before.get(nodeId) !== meanings.after.get(nodeId)
    if (isGone || (isKept && (changed || !counts))) misfits.add(nodeId)
  }
  if (misfits.size === 0) return
  const nodeIds = [...misfits].sort()
  throw new SagasmithError('kept_results_do_not_fit', {
    message: `The other version has these steps no more, or means something else by them: ${nodeIds.join(', ')}.`,
    details: { runId: state.run.id, nodeIds },
  })
}

function reopen(draft: Draft, { hash }: RetryRequest): void {
  const { generation, deadlineAt, workflowTitle } = draft.state.run
  const set: Partial<RunRecord> = {
    generation,
    deadlineAt,
    cancelRequestedAt: null,
    pauseRequestedAt: null,
    output: null,
    error: null,
    finishedAt: null,
    idleMs: idleUntil(draft.run, draft.context.now),
  }
  changeRun(draft, { ...set, definitionHash: hash, workflowTitle }, 'RUNNING')
}

function giveInput(draft: Draft, nodeId: NodeId, input: Payload): void {
  const record = recordOf(draft, forwardId(draft.state, nodeId))
  if (record === undefined || invocationMachine.final.has(record.status)) return
  touchInvocation(draft, record.id, { dispatch: dispatchWith(record, { input }) })
}

/** Such as a join that too few branches lead to: doing it again changes nothing. */
function refuseSameEnd(draft: Draft): void {
  const { id, status, error } = draft.run
  if (!runMachine.final.has(status) || status === 'SUCCEEDED') return
  throw new SagasmithError('step_not_retryable', {
    message: `The run ${id} would end at once as ${status}: ${error?.message ?? ''}`,
    details: { runId: id, status, code: error?.code ?? null },
  })
}

/** Each step that is not kept must be known by a record that began anew, or it would come back with a restart. */
function refuseUnreached(draft: Draft): void {
  const { state } = draft
  const { id, status, generation } = draft.run
  if (draft.records.size === 0 && !(draft.run.status === 'SUCCEEDED' && hasReleased(state))) {
    throw new SagasmithError('nothing_to_retry', { details: { runId: id, status } })
  }
  const invocations = [...state.invocations.values(), ...draft.records.values()]
  const kept = keptGenerations(state.workflow, generation, { invocations })
  const nodeIds = [...(kept?.keys() ?? [])].filter((nodeId) => state.kept?.has(nodeId) !== true)
  if (nodeIds.length === 0) return
  throw new SagasmithError('step_not_retryable', {
    message: `These steps would not begin again, for nothing leads to them: ${nodeIds.join(', ')}.`,
    details: { runId: id, nodeIds },
  })
}

/** A result was released that the run had ended for lack of: maybe nothing else is left to do. */
const hasReleased = ({ invocations }: RunState): boolean =>
  [...invocations.values()].some(({ dispatch }) => dispatch?.check?.standing === 'released')

function withExtras(decision: Decision, base: RunState, request: RetryRequest): Decision {
  const { checkpoint, changes } = decision
  const { publish, letters, workflow } = request
  const settledLetters = letters
    .filter(({ nodeId }) => {
      const node = nodeId === null ? undefined : workflow.nodeById.get(nodeId)
      return node === undefined || base.kept?.has(outermost(node).id) !== true
    })
    .map(({ id }) => id)
  const writes = {
    ...checkpoint.writes,
    settledLetters,
    ...(publish === null ? {} : { workflowVersions: [publish] }),
  }
  return { ...decision, checkpoint: { ...checkpoint, writes }, changes: { ...changes, restart: base } }
}
