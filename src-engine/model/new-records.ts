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
  return {
    partition: 0,
    tenant: 'local',
    requestId: null,
    parentRunId: null,
    generation: 0,
    status: 'CREATED',
    version: 1,
    priority: 'NORMAL',
    tags: [],
    cause: { kind: 'manual', by: null, detail: null },
    baseDirectory: null,
    createdAt: given.now,
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    cancelRequestedAt: null,
    output: null,
    error: null,
    parentInvocationId: null,
    origin: null,
    pauseRequestedAt: null,
    signals: [],
    permits: null,
    waitReason: null,
    traceParent: null,
    ...given,
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
    generation: 0,
    path: '',
    role: 'forward',
    status: 'REGISTERED',
    version: 1,
    priority: 'NORMAL',
    pool: 'default',
    tags: [],
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
    route: null,
    permits: null,
    wait: null,
    dispatch: null,
    ...given,
  }
}
