/**
 * A decision in the making: it reads the state, collects new records, events and what they change in
 * memory, and ends as one checkpoint. Nothing here touches the state itself.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import type { Checkpoint, OutboxRecord } from '../model/checkpoint.ts'
import type { EventDraft } from '../model/event.ts'
import { nextFence } from '../model/fence.ts'
import type { InvocationId, OpId, RunnerId } from '../model/ids.ts'
import { nodeId } from '../model/ids.ts'
import type { Cause, InvocationRecord } from '../model/invocation.ts'
import type { Actor, InvocationStatus } from '../model/invocation-status.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { PoolRules } from '../model/pools.ts'
import { assert } from '../model/result.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { CompiledNode, CompiledWorkflow } from './compile.ts'
import { bindsRun, tellsCircuit } from './effects.ts'
import type { NeedsScan } from './output/scan-effects.ts'
import type { Written } from './raised-versions.ts'
import { raisedRun, raisedVersion } from './raised-versions.ts'
import type {
  EdgeDecision,
  MapProgress,
  MutableRunState,
  NodePhase,
  RunState,
  ScopeState,
  StateChanges,
} from './run-state.ts'
import { applyChanges, createBody, isActive, isParked } from './run-state.ts'
import { sideWrites } from './side-writes.ts'

/** The runner that may take new invocations right away, in the same checkpoint. */
export interface Claimant {
  readonly runnerId: RunnerId
  readonly ttlMs: Millis
  /** Slots that are free. */
  readonly capacity: number
  /** Whether it also takes invocations of this run that were registered earlier. */
  readonly takesEarlier: boolean
  /** Whether it works for the pool, knows the kind, and is who the route asks for. */
  readonly accepts: (record: Pick<InvocationRecord, 'taskKind' | 'pool' | 'route'>) => boolean
}

export interface DecisionContext {
  readonly now: Instant
  readonly actor: Actor
  readonly cause: Cause
  readonly opId: OpId
  /** Current epoch of the run's partition. */
  readonly epoch: number
  readonly claimant: Claimant | null
  /** Which pools work for which topics; null or absent when nobody said anything about that. */
  readonly pools?: PoolRules | null
  /** Which results are to be looked into once they are handed on; null or absent where nobody judges any. */
  readonly needsScan?: NeedsScan | null
  /** What is written already by the checkpoint that this one goes into; null or absent for one of its own. */
  readonly continues?: Written | null
  /** How long values that aren't kept stay after an end from which the run may go on; absent for the default. */
  readonly unkeptGraceMs?: Millis
}

/** What a decision comes to. */
export interface Decision {
  readonly checkpoint: Checkpoint
  readonly changes: StateChanges
  /** Invocations that the claimant has to execute once the checkpoint is committed. */
  readonly started: readonly InvocationRecord[]
}

/** How many ways into a node were decided, and taken. */
export interface Arrivals {
  readonly decided: number
  readonly taken: number
}

/** What a decision changes on one level: the run itself, an item, or a turn. */
export interface ScopeDraft {
  /** Empty for the run itself. */
  readonly path: string
  /** The map or loop; null for the run itself. */
  readonly container: CompiledNode | null
  readonly before: ScopeState
  edges: Map<number, EdgeDecision> | null
  nodes: Map<number, NodePhase> | null
  /** Of nodes with several ways in, by node index; null while none of these was decided about. */
  arrivals: Map<number, Arrivals> | null
  activeCount: number
  failed: boolean
}

export interface Draft extends ScopeDraft {
  readonly state: RunState
  /** Its cause changes from fact to fact where one decision tells of several. */
  context: DecisionContext
  run: RunRecord
  readonly created: boolean
  readonly records: Map<InvocationId, InvocationRecord>
  readonly events: EventDraft[]
  readonly attempts: AttemptRecord[]
  readonly started: InvocationRecord[]
  parkedCount: number
  /** Items and turns that the decision touches, by path; null while there are none. */
  bodies: Map<string, ScopeDraft> | null
  maps: Map<InvocationId, MapProgress> | null
  /** Maps and loops that ended before their bodies: what goes on in these is to be cancelled. */
  orphans: InvocationRecord[] | null
  /** Maps and loops that somebody paused; null while there are none. */
  pausedBodies: ReadonlySet<InvocationId> | null
  /** Steps that it ended, and that may have to be undone, in order; null while there are none. */
  ended: EndedStep[] | null
  /** The place of the compensation that was recorded last. */
  lastPlace: number
  /** What it means for other runs, by id; null while it means nothing. */
  outbox: Map<string, OutboxRecord> | null
}

/** A step as it was before its end, and as it ended. */
export interface EndedStep {
  readonly before: InvocationRecord
  readonly after: InvocationRecord
}

/** Begins a decision on a run that exists, or (`created`) on one that this decision makes. */
export function createDraft(state: RunState, context: DecisionContext, created = false): Draft {
  return {
    path: '',
    container: null,
    before: state,
    state,
    context,
    run: created ? state.run : raisedRun(state, context),
    created,
    records: new Map(),
    edges: null,
    nodes: null,
    arrivals: null,
    events: [],
    attempts: [],
    started: [],
    activeCount: state.activeCount,
    failed: false,
    parkedCount: state.parkedCount,
    bodies: null,
    maps: null,
    orphans: null,
    pausedBodies: state.pausedBodies,
    ended: null,
    lastPlace: state.lastPlace,
    outbox: null,
  }
}

/** The level that a path names; `container` must be told when the decision opens it. */
export function scopeAt(draft: Draft, path: string, container?: CompiledNode): ScopeDraft {
  if (path === '') return draft
  draft.bodies ??= new Map()
  const known = draft.bodies.get(path)
  if (known !== undefined) return known
  const open = draft.state.bodies.get(path)
  const of = open?.container ?? container ?? containerOf(draft, path)
  const before = open ?? createBody(of)
  const scope: ScopeDraft = {
    path,
    container: of,
    before,
    edges: null,
    nodes: null,
    arrivals: null,
    activeCount: before.activeCount,
    failed: open?.failed ?? false,
  }
  draft.bodies.set(path, scope)
  return scope
}

function containerOf(draft: Draft, path: string): CompiledNode {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const container = draft.state.workflow.nodeById.get(nodeId(last.slice(0, last.lastIndexOf(':'))))
  assert(container !== undefined, `the path ${path} names a node of the workflow`)
  return container
}

/** The record as this decision sees it. */
export function recordOf(draft: Draft, id: InvocationId): InvocationRecord | undefined {
  return draft.records.get(id) ?? draft.state.invocations.get(id)
}

/** The node of an invocation; a run is bound to the definition that has it. */
export function nodeOf(draft: Draft, record: InvocationRecord): CompiledNode {
  const node = nodeOfRecord(draft.state.workflow, record)
  assert(node !== undefined, `node ${record.nodeId} is part of the run's definition`)
  return node
}

/** What an invocation runs as: its node, or what undoes that. Undefined where the definition has none. */
export function nodeOfRecord(workflow: CompiledWorkflow, record: InvocationRecord): CompiledNode | undefined {
  const node = workflow.nodeById.get(record.nodeId)
  return record.role === 'forward' ? node : node?.undo?.node
}

export function addEvent(draft: Draft, event: Omit<EventDraft, 'runId' | 'runVersion'>): void {
  const { id: runId, version: runVersion } = draft.run
  const { invocationId, cause, body } = event
  draft.events.push({ runId, runVersion, invocationId, cause, body })
}

/** Makes a new invocation part of the decision. */
export function addInvocation(draft: Draft, invocation: InvocationRecord): void {
  draft.records.set(invocation.id, invocation)
  draft.activeCount += 1
  if (invocation.path !== '' && invocation.role === 'forward')
    scopeAt(draft, invocation.path).activeCount += 1
  addEvent(draft, {
    invocationId: invocation.id,
    cause: invocation.cause,
    body: { type: 'invocation.registered', invocation },
  })
}

export interface Move {
  readonly to: InvocationStatus
  /** Fields beside those that the status itself rules. */
  readonly set?: Partial<InvocationRecord>
  readonly cause?: Cause
  readonly attempt?: AttemptRecord
}

/** Moves an invocation; ownership, lease and finish time follow from the table. */
export function moveInvocation(draft: Draft, id: InvocationId, move: Move): InvocationRecord {
  const before = recordOf(draft, id)
  assert(before !== undefined, `invocation ${id} is part of the run`)
  const set = ruledChanges(draft, before, move.to)
  if (move.set !== undefined) addChanges(before, move.set, set)
  return writeChange(draft, before, { set, move })
}

/** Changes fields of an invocation without moving it. */
export function touchInvocation(draft: Draft, id: InvocationId, fields: Partial<InvocationRecord>): void {
  const before = recordOf(draft, id)
  assert(before !== undefined, `invocation ${id} is part of the run`)
  const set: Changes = {}
  addChanges(before, fields, set)
  const version = raisedVersion(draft, id)
  if (version !== before.version) set.version = version
  writeChange(draft, before, { set, move: { to: before.status } })
}

/** Fields of an invocation that differ from those of the record before. */
type Changes = { -readonly [Key in keyof InvocationRecord]?: InvocationRecord[Key] }

function writeChange(
  draft: Draft,
  before: InvocationRecord,
  { set, move }: { readonly set: Changes; readonly move: Move },
): InvocationRecord {
  const { id } = before
  const after: InvocationRecord = { ...before, ...set }
  track(draft, before, after)
  draft.records.set(id, after)
  // A failover may have taken back its beginning: what hasn't begun, by its records, has no attempt that ends.
  const attempt = before.status === 'PENDING' ? null : (move.attempt ?? null)
  if (attempt !== null) draft.attempts.push(attempt)
  addEvent(draft, {
    invocationId: id,
    cause: move.cause ?? draft.context.cause,
    body: { type: 'invocation.changed', from: before.status, to: move.to, set, attempt },
  })
  return after
}

function ruledChanges(draft: Draft, before: InvocationRecord, to: InvocationStatus): Changes {
  const { context } = draft
  const row = invocationMachine.table.rows[to]
  const version = raisedVersion(draft, before.id)
  const set: Changes = {}
  if (to !== before.status) set.status = to
  if (version !== before.version) set.version = version
  if (row.acquires === true) {
    assert(context.claimant !== null, 'only a claimant acquires')
    const fence = nextFence(before.fence, context.epoch)
    const { runnerId, ttlMs } = context.claimant
    set.lease = { runnerId, fence, expiresAt: context.now + ttlMs }
    set.fence = fence
  } else if (row.releases === true) {
    if (before.lease !== null) set.lease = null
    if (before.deadlineAt !== null) set.deadlineAt = null
  }
  if (before.notBefore !== null) set.notBefore = null
  if (before.waitReason !== null) set.waitReason = null
  if (row.final === true) {
    if (before.wait !== null) set.wait = null
    if (before.finishedAt !== context.now) set.finishedAt = context.now
    if (before.cancelRequestedAt !== null) set.cancelRequestedAt = null
    // A parked step holds what it would have handed on; only a success hands it on.
    if (to !== 'SUCCESS' && to !== 'OUTPUT_QUARANTINED' && before.output !== null) set.output = null
  }
  return set
}

/** Adds what of the fields differs; what the table rules is overridden. */
function addChanges(before: InvocationRecord, fields: Partial<InvocationRecord>, set: Changes): void {
  const changes = set as Record<string, unknown>
  for (const name in fields) {
    const value = fields[name as keyof InvocationRecord]
    if (value !== before[name as keyof InvocationRecord]) changes[name] = value
    else if (name in changes) delete changes[name]
  }
}

function track(draft: Draft, before: InvocationRecord, after: InvocationRecord): void {
  const active = (isActive(after) ? 1 : 0) - (isActive(before) ? 1 : 0)
  draft.activeCount += active
  if (active !== 0 && before.path !== '' && before.role === 'forward')
    scopeAt(draft, before.path).activeCount += active
  if (active < 0 && draft.state.workflow.saga !== null && before.role === 'forward') {
    draft.ended ??= []
    draft.ended.push({ before, after })
  }
  if (active < 0 && before.wait !== null) {
    leaveWait(draft, before)
    tellsCircuit(draft, before, after)
  }
  draft.parkedCount += (isParked(after) ? 1 : 0) - (isParked(before) ? 1 : 0)
}

/** The body of a map or loop doesn't outlive it, nor does a run that was started to be waited for. */
function leaveWait(draft: Draft, before: InvocationRecord): void {
  if (before.wait?.kind === 'items' || before.wait?.kind === 'turn') {
    draft.orphans ??= []
    draft.orphans.push(before)
  }
  bindsRun(draft, before)
}

/** Changes the run's record; `to` when it also moves. */
export function changeRun(draft: Draft, set: Partial<RunRecord>, to?: RunStatus): void {
  const from = draft.run.status
  const status = to ?? from
  const full: Partial<RunRecord> = { ...set, status }
  draft.run = { ...draft.run, ...full }
  addEvent(draft, {
    invocationId: null,
    cause: draft.context.cause,
    body: { type: 'run.changed', from, to: status, set: full },
  })
}

export const runIsFinal = (run: RunRecord): boolean => runMachine.final.has(run.status)

/** The decision as a checkpoint, with what it changes in memory. */
export function finishDraft(draft: Draft): Decision {
  const { state, context } = draft
  assert(draft.ended === null, 'what undoes a step is recorded with its end')
  const invocations = [...draft.records.values()]
  const checkpoint: Checkpoint = {
    partition: draft.run.partition,
    opId: context.opId,
    actor: context.actor,
    at: context.now,
    expect: {
      epoch: context.epoch,
      run: { id: draft.run.id, version: draft.created ? 0 : state.run.version },
      invocations: invocations.map((record) => {
        const before = state.invocations.get(record.id)
        return { id: record.id, version: before?.version ?? 0, fence: before?.lease?.fence ?? null }
      }),
      registers: [],
    },
    writes: {
      ...sideWrites(draft, invocations),
      run: draft.run,
      invocations,
      attempts: draft.attempts.slice(),
    },
    events: draft.events.slice(),
  }
  const changes = changesOf(draft, invocations)
  return { checkpoint, changes, started: draft.started.map((record) => recordOf(draft, record.id) ?? record) }
}

function changesOf(draft: Draft, invocations: readonly InvocationRecord[]): StateChanges {
  const { run, edges, nodes, bodies, maps } = draft
  const changes: StateChanges = { run, invocations, edges, nodes }
  if (bodies === null && maps === null) return changes
  const touched = [...(bodies?.values() ?? [])].flatMap((scope) =>
    scope.container === null ? [] : [{ ...scope, container: scope.container }],
  )
  return { ...changes, bodies: touched, ...(maps === null ? {} : { maps }) }
}

/** Makes the decision part of the state it was made on. */
export function applyDecision(state: MutableRunState, decision: Decision): void {
  applyChanges(state, decision.changes)
}
