/** Records and checkpoints for stories about stores; every field that a test doesn't name has a plain value. */

import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import type { Checkpoint, Writes } from '../../src-engine/model/checkpoint.ts'
import { noWrites } from '../../src-engine/model/checkpoint.ts'
import type { EventDraft } from '../../src-engine/model/event.ts'
import { nextFence } from '../../src-engine/model/fence.ts'
import {
  definitionHash,
  invocationId,
  nodeId,
  opId,
  runId,
  runnerId,
  workflowId,
} from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Actor, InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { newInvocation, newRun } from '../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { RunnerRecord } from '../../src-engine/model/runner.ts'
import type { ClaimRequest } from '../../src-engine/store/store.ts'

/** When stories begin. */
export const start = 1_700_000_000_000

/** The actor of what the run's own logic does. */
export const byRun: Actor = { kind: 'run', id: null }
export const byOperator: Actor = { kind: 'operator', id: 'ann' }
export const byRecovery: Actor = { kind: 'recovery', id: 'recovery' }
export const byRunner = (name: string): Actor => ({ kind: 'runner', id: name })

const cause = { kind: 'manual', by: null, detail: null }

export function aRun(set: Partial<RunRecord> & { readonly name?: string } = {}): RunRecord {
  const { name = 'r1', ...fields } = set
  return newRun({
    id: runId(name),
    workflowId: workflowId('orders'),
    workflowTitle: 'Orders',
    definitionHash: definitionHash(`w1_${'0'.repeat(64)}`),
    input: { kind: 'inline', json: '{}' },
    now: start,
    seed: 'seed',
    ...fields,
  })
}

export function anInvocation(
  run: RunRecord,
  node: string,
  set: Partial<InvocationRecord> = {},
): InvocationRecord {
  return newInvocation({
    id: invocationId(`${run.id}/${node}`),
    runId: run.id,
    nodeId: nodeId(node),
    taskKind: 'log',
    registeredAt: start,
    cause,
    ...set,
  })
}

export function aRunner(name: string, set: Partial<RunnerRecord> = {}): RunnerRecord {
  return {
    id: runnerId(name),
    process: { host: 'here', pid: 1, startTime: '1', bootId: 'boot' },
    startedAt: start,
    heartbeatAt: start,
    stoppedAt: null,
    pools: ['default'],
    slots: 16,
    active: 0,
    labels: [],
    capabilities: ['log'],
    canRunAtomicService: true,
    parentId: null,
    cpuPercent: null,
    gpuPercent: null,
    drainingSince: null,
    ...set,
  }
}

export function aClaim(name: string, set: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    partition: 0,
    runnerId: runnerId(name),
    limit: 10,
    now: start,
    ttlMs: 300_000,
    pools: ['default'],
    capabilities: ['log'],
    labels: [],
    agingMs: 300_000,
    invocationIds: null,
    ...set,
  }
}

let opCount = 0
/** An op-id that no other checkpoint of the test process has. */
export const newOp = () => opId(`op-${++opCount}`)

interface CheckpointParts {
  readonly actor?: Actor
  readonly at?: number
  readonly expect?: Partial<Checkpoint['expect']>
  readonly writes?: Partial<Writes>
  readonly events?: readonly EventDraft[]
}

export function aCheckpoint(parts: CheckpointParts): Checkpoint {
  return {
    partition: 0,
    opId: newOp(),
    actor: parts.actor ?? byRun,
    at: parts.at ?? start,
    expect: { invocations: [], registers: [], ...parts.expect },
    writes: { ...noWrites, ...parts.writes },
    events: parts.events ?? [],
  }
}

const draft = (
  runOf: RunRecord['id'] | null,
  body: EventDraft['body'],
  id: InvocationRecord['id'] | null = null,
) => {
  return { runId: runOf, invocationId: id, cause, body }
}

export const registered = (record: InvocationRecord): EventDraft =>
  draft(record.runId, { type: 'invocation.registered', invocation: record }, record.id)

/** The first checkpoint of a run: the run, RUNNING, and its first invocations. */
export function starting(run: RunRecord, invocations: readonly InvocationRecord[] = []): Checkpoint {
  return aCheckpoint({
    expect: {
      run: { id: run.id, version: 0 },
      invocations: invocations.map(({ id }) => ({ id, version: 0, fence: null })),
    },
    writes: { run: { ...run, status: 'RUNNING', startedAt: run.createdAt }, invocations },
    events: [
      draft(run.id, { type: 'run.created', run }),
      draft(run.id, {
        type: 'run.changed',
        from: 'CREATED',
        to: 'RUNNING',
        set: { status: 'RUNNING', startedAt: run.createdAt },
      }),
      ...invocations.map(registered),
    ],
  })
}

/** Registers further invocations of a run, guarded by the run's version. */
export function registering(run: RunRecord, invocations: readonly InvocationRecord[]): Checkpoint {
  const written = { ...run, version: run.version + 1 }
  return aCheckpoint({
    expect: {
      run: { id: run.id, version: run.version },
      invocations: invocations.map(({ id }) => ({ id, version: 0, fence: null })),
    },
    writes: { run: written, invocations },
    events: invocations.map((item) => ({ ...registered(item), runVersion: written.version })),
  })
}

export function movingRun(run: RunRecord, to: RunStatus, set: Partial<RunRecord> = {}): Checkpoint {
  const finishedAt = runMachine.final.has(to) ? start : null
  const written: RunRecord = { ...run, finishedAt, ...set, status: to, version: run.version + 1 }
  const body = {
    type: 'run.changed',
    from: run.status,
    to,
    set: { finishedAt, ...set, status: to, version: written.version },
  } as const
  return aCheckpoint({
    expect: { run: { id: run.id, version: run.version } },
    writes: { run: written },
    events: [draft(run.id, body)],
  })
}

export interface Move {
  readonly actor?: Actor
  readonly at?: number
  readonly set?: Partial<InvocationRecord>
  readonly attempt?: AttemptRecord
  readonly writes?: Partial<Writes>
}

/** Moves an invocation through statuses, one event each; ownership follows the table. */
export function moving(
  record: InvocationRecord,
  to: readonly InvocationStatus[],
  move: Move = {},
): Checkpoint {
  const { actor = byRun, at = start } = move
  const { written, events } = walk(record, to, { ...move, actor, at })
  return aCheckpoint({
    actor,
    at,
    expect: { invocations: [{ id: record.id, version: record.version, fence: record.lease?.fence ?? null }] },
    writes: {
      invocations: [written],
      attempts: move.attempt === undefined ? [] : [move.attempt],
      ...move.writes,
    },
    events,
  })
}

/** The record after the moves, with the events that tell of them. */
function walk(
  record: InvocationRecord,
  to: readonly InvocationStatus[],
  move: Move & { readonly actor: Actor; readonly at: number },
): { readonly written: InvocationRecord; readonly events: readonly EventDraft[] } {
  const events: EventDraft[] = []
  let current: InvocationRecord = { ...record, version: record.version + 1 }
  for (const [index, status] of to.entries()) {
    const last = index === to.length - 1
    const from = current.status
    const set: Partial<InvocationRecord> = {
      version: current.version,
      ...ownershipAfter(current, status, move),
      finishedAt: invocationMachine.final.has(status) ? move.at : null,
      ...(last ? move.set : {}),
      status,
    }
    current = { ...current, ...set }
    const attempt = last ? (move.attempt ?? null) : null
    events.push(
      draft(record.runId, { type: 'invocation.changed', from, to: status, set, attempt }, record.id),
    )
  }
  return { written: current, events }
}

function ownershipAfter(
  record: InvocationRecord,
  to: InvocationStatus,
  move: { readonly actor: Actor; readonly at: number },
): Pick<InvocationRecord, 'lease' | 'fence'> {
  const { lease, fence } = record
  const row = invocationMachine.table.rows[to]
  if (row.releases) return { lease: null, fence }
  if (!row.acquires || to === record.status) return { lease, fence }
  const next = nextFence(fence, 1)
  const owner = runnerId(move.actor.id ?? '')
  return { lease: { runnerId: owner, fence: next, expiresAt: move.at + 300_000 }, fence: next }
}

/** The one attempt of an owned invocation. */
export function anAttempt(record: InvocationRecord, set: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    invocationId: record.id,
    runId: record.runId,
    number: Math.max(1, record.attempt),
    runnerId: record.lease?.runnerId ?? runnerId('nobody'),
    fence: record.lease?.fence ?? { epoch: 1, counter: 1 },
    startedAt: start,
    endedAt: start,
    outcome: 'succeeded',
    input: null,
    output: null,
    error: null,
    log: null,
    ...set,
  }
}
