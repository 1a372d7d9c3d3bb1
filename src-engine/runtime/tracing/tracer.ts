/** Makes spans of what happens: runs, attempts, the way of a step to its runner, commits. */

import type { Decision } from '../../core/draft.ts'
import type { AttemptRecord } from '../../model/attempt.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import type { RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { EngineObserver, StoreObserver } from '../engine-observer.ts'
import type { Span } from './span.ts'
import type { TraceContext } from './trace-context.ts'
import { contextOfRun, parseTraceParent, spanIdOf, traceParentText } from './trace-context.ts'

export type Tracer = Pick<EngineObserver, 'decided' | 'traceParentOf'> & StoreObserver

/** A tracer that gives each finished span to `emit`. */
export function createTracer(emit: (span: Span) => void): Tracer {
  return {
    traceParentOf: (runId) => traceParentText(contextOfRun(runId)),
    decided: (decision) => {
      for (const span of spansOfDecision(decision)) emit(span)
    },
    claimed: ({ runnerId }, { claimed }, { begunAt, ms }) => {
      for (const { run, invocation } of claimed) {
        emit({
          ...childOf(contextOf(run), `claim:${invocation.id}:${invocation.fence?.counter ?? 0}`),
          name: 'claim',
          begunAt,
          endedAt: begunAt + ms,
          attributes: {
            ...idsOf(invocation),
            'sagasmith.runner_id': runnerId,
            'sagasmith.pool': invocation.pool,
          },
          error: null,
        })
      }
    },
    committed: (checkpoints, answers, { begunAt, ms }) => {
      for (const [index, checkpoint] of checkpoints.entries()) {
        const runId = runOf(checkpoint)
        if (runId === null) continue
        const kind = answers[index]?.kind ?? 'unknown'
        emit({
          ...childOf(contextOf(checkpoint.writes.run ?? { id: runId, traceParent: null }), checkpoint.opId),
          name: 'commit',
          begunAt,
          endedAt: begunAt + ms,
          attributes: {
            'sagasmith.run_id': runId,
            'sagasmith.op_id': checkpoint.opId,
            'sagasmith.answer': kind,
            'sagasmith.batch_size': checkpoints.length,
            'sagasmith.events': checkpoint.events.length,
          },
          error: kind === 'refused' ? 'refused' : null,
        })
      }
    },
  }
}

function spansOfDecision({ checkpoint, changes, started }: Decision): readonly Span[] {
  const context = contextOf(changes.run)
  const recordOf = (id: string) => changes.invocations.find((record) => record.id === id)
  const attempts = checkpoint.writes.attempts.map((attempt) =>
    attemptSpan(context, attempt, recordOf(attempt.invocationId)),
  )
  const dispatches = started.map((record) => dispatchSpan(context, record, checkpoint.at))
  const hasEnded = checkpoint.events.some(
    ({ body }) => body.type === 'run.changed' && body.from !== body.to && runMachine.final.has(body.to),
  )
  return [...attempts, ...dispatches, ...(hasEnded ? [runSpan(context, changes.run, checkpoint.at)] : [])]
}

const wentWell: ReadonlySet<AttemptRecord['outcome']> = new Set([
  'succeeded',
  'parked',
  'handed-back',
  'skipped',
  'reused',
])

function attemptSpan(
  context: TraceContext,
  attempt: AttemptRecord,
  record: InvocationRecord | undefined,
): Span {
  const { invocationId, runId, number, runnerId, startedAt, endedAt, outcome, error, fence } = attempt
  const failed = !wentWell.has(outcome)
  return {
    ...childOf(context, `attempt:${invocationId}:${number}:${fence.counter}`),
    name: record === undefined ? 'attempt' : `attempt ${record.taskKind}`,
    begunAt: startedAt,
    endedAt,
    attributes: {
      ...(record === undefined
        ? { 'sagasmith.run_id': runId, 'sagasmith.invocation_id': invocationId }
        : idsOf(record)),
      'sagasmith.runner_id': runnerId,
      'sagasmith.attempt': number,
      'sagasmith.outcome': outcome,
    },
    error: failed ? (error?.code ?? outcome) : null,
  }
}

/** From the registration to the start: how long the step waited. Later attempts have been available before. */
function dispatchSpan(context: TraceContext, record: InvocationRecord, at: number): Span {
  return {
    ...childOf(context, `dispatch:${record.id}:${record.attempt}:${record.fence?.counter ?? 0}`),
    name: 'dispatch',
    begunAt: record.attempt === 1 ? record.registeredAt : at,
    endedAt: record.startedAt ?? at,
    attributes: {
      ...idsOf(record),
      'sagasmith.runner_id': record.lease?.runnerId ?? null,
      'sagasmith.attempt': record.attempt,
    },
    error: null,
  }
}

function runSpan(context: TraceContext, run: RunRecord, at: number): Span {
  const isGood = run.status === 'SUCCEEDED' || run.status === 'CANCELLED'
  return {
    ...context,
    // The generation is not part of the span's id: an operator's retry goes on with the same run.
    parentId: run.parentRunId === null ? null : contextOfRun(run.parentRunId).spanId,
    name: `run ${run.workflowTitle}`,
    begunAt: run.createdAt,
    endedAt: run.finishedAt ?? at,
    attributes: {
      'sagasmith.run_id': run.id,
      'sagasmith.workflow_id': run.workflowId,
      'sagasmith.status': run.status,
      'sagasmith.parent_run_id': run.parentRunId,
      'sagasmith.parent_invocation_id': run.parentInvocationId,
      'sagasmith.tenant': run.tenant,
    },
    error: isGood ? null : (run.error?.code ?? run.status),
  }
}

const idsOf = (record: InvocationRecord) => ({
  'sagasmith.run_id': record.runId,
  'sagasmith.invocation_id': record.id,
  'sagasmith.node_id': record.nodeId,
  'sagasmith.task_kind': record.taskKind,
})

const childOf = ({ traceId, spanId }: TraceContext, name: string) => ({
  traceId,
  spanId: spanIdOf(name),
  parentId: spanId,
})

const contextOf = ({ id, traceParent }: Pick<RunRecord, 'id' | 'traceParent'>): TraceContext =>
  (traceParent === null ? null : parseTraceParent(traceParent)) ?? contextOfRun(id)

const runOf = ({ writes, expect, events }: Checkpoint): RunId | null =>
  writes.run?.id ?? expect.run?.id ?? events[0]?.runId ?? null
