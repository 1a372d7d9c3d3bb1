/** Records as they begin: what a maker doesn't name has its plain value. */

import type { InvocationRecord } from './invocation.ts'
import type { RunRecord } from './run.ts'

/** What a run must be told at its beginning. */
export type NewRun = Pick<
  RunRecord,
  'id' | 'workflowId' | 'workflowTitle' | 'definitionHash' | 'input' | 'seed' | 'now'
> &
  Partial<RunRecord>

/** A run that begins at `now`. */
export function newRun(given: NewRun): RunRecord {
  // Every field by name, in one order: all runs share one shape, and making one copies nothing.
  return {
    id: given.id,
    partition: given.partition ?? 0,
    tenant: given.tenant ?? 'local',
    workflowId: given.workflowId,
    workflowTitle: given.workflowTitle,
    definitionHash: given.definitionHash,
    requestId: given.requestId ?? null,
    parentRunId: given.parentRunId ?? null,
    generation: given.generation ?? 0,
    status: given.status ?? 'CREATED',
    version: given.version ?? 1,
    priority: given.priority ?? 'NORMAL',
    tags: given.tags ?? [],
    cause: given.cause ?? { kind: 'manual', by: null, detail: null },
    input: given.input,
    baseDirectory: given.baseDirectory ?? null,
    now: given.now,
    seed: given.seed,
    createdAt: given.createdAt ?? given.now,
    startedAt: given.startedAt ?? null,
    finishedAt: given.finishedAt ?? null,
    deadlineAt: given.deadlineAt ?? null,
    cancelRequestedAt: given.cancelRequestedAt ?? null,
    output: given.output ?? null,
    error: given.error ?? null,
    parentInvocationId: given.parentInvocationId ?? null,
    origin: given.origin ?? null,
    pauseRequestedAt: given.pauseRequestedAt ?? null,
    signals: given.signals ?? [],
    permits: given.permits ?? null,
    waitReason: given.waitReason ?? null,
    traceParent: given.traceParent ?? null,
    breakpoints: given.breakpoints ?? [],
  }
}

/** What an invocation must be told at its beginning. */
export type NewInvocation = Pick<
  InvocationRecord,
  'id' | 'runId' | 'nodeId' | 'taskKind' | 'registeredAt' | 'cause'
> &
  Partial<InvocationRecord>

/** An invocation that is registered and owned by nobody. */
export function newInvocation(given: NewInvocation): InvocationRecord {
  return {
    id: given.id,
    runId: given.runId,
    nodeId: given.nodeId,
    taskKind: given.taskKind,
    generation: given.generation ?? 0,
    path: given.path ?? '',
    role: given.role ?? 'forward',
    status: given.status ?? 'REGISTERED',
    version: given.version ?? 1,
    priority: given.priority ?? 'NORMAL',
    pool: given.pool ?? 'default',
    tags: given.tags ?? [],
    lease: given.lease ?? null,
    fence: given.fence ?? null,
    attempt: given.attempt ?? 0,
    failureCount: given.failureCount ?? 0,
    crashCount: given.crashCount ?? 0,
    registeredAt: given.registeredAt,
    notBefore: given.notBefore ?? null,
    startedAt: given.startedAt ?? null,
    deadlineAt: given.deadlineAt ?? null,
    finishedAt: given.finishedAt ?? null,
    cancelRequestedAt: given.cancelRequestedAt ?? null,
    waitReason: given.waitReason ?? null,
    cause: given.cause,
    input: given.input ?? null,
    output: given.output ?? null,
    ports: given.ports ?? null,
    error: given.error ?? null,
    route: given.route ?? null,
    permits: given.permits ?? null,
    wait: given.wait ?? null,
    dispatch: given.dispatch ?? null,
  }
}
