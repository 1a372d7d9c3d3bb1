/**
 * A run of this machine made of one that was pulled: its ended steps as they ended there, then its end, in one
 * checkpoint. It has an id of its own, so that nothing takes one for the other, and goes on by a retry.
 */

import { isRecorded } from '../../core/run-state.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { EventDraft } from '../../model/event.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import { opId, invocationId as toInvocationId, runId as toRunId } from '../../model/ids.ts'
import type { Cause, InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import { asBegun } from './as-begun.ts'

/** The id that the run goes on with here: the same for whoever asks again, another after another retry there. */
export const hereIdOf = ({ id, generation }: Pick<RunRecord, 'id' | 'generation'>): RunId =>
  toRunId(`${id}-here${generation + 1}`)

/** Throws `run_not_final`, `run_not_retryable`. */
export function refuseNotAdoptable(run: RunRecord, invocations: readonly InvocationRecord[]): void {
  const { id, status } = run
  const details = { runId: id, status }
  if (!runMachine.final.has(status)) {
    throw new SagasmithError('run_not_final', {
      message: `The run ${id} is still ${status} where it came from.`,
      hint: 'Have it cancelled there first, or wait for its end and pull it again.',
      details,
    })
  }
  if (runMachine.validateTransition('RUNNING', status, operator) !== null) {
    throw new SagasmithError('run_not_retryable', {
      message: `The run ${id} is ${status}: nothing of it is left to do.`,
      details,
    })
  }
  // What has been undone is not done any more, so nothing can go on from it.
  if (invocations.some((record) => record.role === 'compensation' && !isRecorded(record))) {
    throw new SagasmithError('run_not_retryable', {
      message: `Steps of the run ${id} were undone where they were done: it can’t go on here.`,
      hint: 'Start it anew: its input and its workflow are here.',
      details,
    })
  }
}

/**
 * What of a run becomes part of the one here. What is recorded to be undone stays where it was done: undone in two
 * places it would be undone twice.
 */
export const adoptable = (invocations: readonly InvocationRecord[]): readonly InvocationRecord[] =>
  invocations.filter(({ role }) => role === 'forward')

/** The steps that can be undone where they were done, each once. */
export const undoneThere = (invocations: readonly InvocationRecord[]): readonly NodeId[] => [
  ...new Set(invocations.filter(isRecorded).map(({ nodeId }) => nodeId)),
]

const operator = { kind: 'operator', id: 'teleport' } as const

export interface AdoptedInput {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  /** Versions that the run is bound to, and those that they start. */
  readonly versions: readonly WorkflowVersion[]
  readonly partition: number
  readonly at: Instant
  readonly cause: Cause
  /** What it is called, and where it comes from, where that isn't the pulled run's own. */
  readonly as?: Pick<RunRecord, 'id' | 'origin' | 'workflowId' | 'tags' | 'breakpoints'>
}

/** The checkpoint that makes the run; of a run that `refuseNotAdoptable` lets pass. */
export function adoptingCheckpoint(input: AdoptedInput): Checkpoint {
  const { run, versions, partition, at, cause } = input
  const id = input.as?.id ?? hereIdOf(run)
  const created = createdForm(input, id)
  const { status, error, finishedAt } = run
  const ended: RunRecord = { ...created, status, error, startedAt: at, finishedAt: at }
  const of = { runId: id, runVersion: created.version, invocationId: null, cause }
  const steps = input.invocations.map((record) => stepOf(record, { id, at, cause }))
  const events: readonly EventDraft[] = [
    { ...of, body: { type: 'run.created', run: created } },
    {
      ...of,
      body: {
        type: 'run.changed',
        from: 'CREATED',
        to: 'RUNNING',
        set: { startedAt: at, status: 'RUNNING' },
      },
    },
    ...steps.flatMap(({ events: own }) => own),
    {
      ...of,
      body: { type: 'run.changed', from: 'RUNNING', to: status, set: { status, error, finishedAt: at } },
    },
  ]
  return {
    partition,
    opId: opId(`here:${id}:${finishedAt ?? 0}`),
    actor: operator,
    at,
    expect: {
      run: { id, version: 0 },
      invocations: steps.map(({ record }) => ({ id: record.id, version: 0, fence: null })),
      registers: [],
    },
    writes: {
      ...noWrites,
      workflowVersions: versions,
      run: ended,
      invocations: steps.map(({ record }) => record),
    },
    events,
  }
}

/** It begins as a run of its own: nobody waits for it, nothing limits it, and its time is its own. */
function createdForm({ run, partition, at, cause, as }: AdoptedInput, id: RunId): RunRecord {
  return {
    ...asBegun(run),
    id,
    partition,
    requestId: null,
    parentRunId: null,
    parentInvocationId: null,
    origin: { kind: 'fork', runId: run.id, nodeId: null },
    cause,
    createdAt: at,
    traceParent: null,
    ...as,
  }
}

/** What the end of a step leaves behind. */
const endFields = ['status', 'input', 'output', 'ports', 'error', 'cause', 'startedAt', 'finishedAt'] as const

function stepOf(
  before: InvocationRecord,
  { id, at, cause }: { readonly id: RunId; readonly at: Instant; readonly cause: Cause },
): { readonly record: InvocationRecord; readonly events: readonly EventDraft[] } {
  const invocationId = toInvocationId(`${id}${before.id.slice(before.runId.length)}`)
  const registered: InvocationRecord = {
    ...before,
    id: invocationId,
    runId: id,
    version: 1,
    status: 'REGISTERED',
    cause,
    registeredAt: at,
    lease: null,
    fence: null,
    attempt: 0,
    failureCount: 0,
    crashCount: 0,
    notBefore: null,
    startedAt: null,
    deadlineAt: null,
    finishedAt: null,
    cancelRequestedAt: null,
    waitReason: null,
    input: null,
    output: null,
    ports: null,
    error: null,
    permits: null,
    wait: null,
    dispatch: null,
  }
  const set: Record<string, unknown> = {}
  for (const name of endFields) if (before[name] !== registered[name]) set[name] = before[name]
  const { status } = before
  const of = { runId: id, runVersion: 1, invocationId, cause }
  const isEnded = invocationMachine.final.has(status)
  return {
    record: isEnded ? { ...registered, ...set } : registered,
    events: [
      { ...of, body: { type: 'invocation.registered', invocation: registered } },
      ...(isEnded
        ? [
            {
              ...of,
              body: { type: 'invocation.changed', from: 'REGISTERED', to: status, set, attempt: null },
            } as const,
          ]
        : []),
    ],
  }
}
