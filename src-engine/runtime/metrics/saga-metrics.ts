/** What is counted of rollbacks: Cordum's saga set under our prefix. */

import type { Decision } from '../../core/draft.ts'
import { undecodable } from '../../core/saga/undo-chain.ts'
import type { EventDraft } from '../../model/event.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Counter, Gauge, Histogram, Registry } from './registry.ts'

export interface SagaMetrics {
  readonly sagaRecorded: Counter
  readonly sagaRollbacks: Counter
  readonly sagaDispatched: Counter
  readonly sagaFailed: Counter
  readonly sagaUnmarshalErrors: Counter
  /** Of the whole store, as of the last look. */
  readonly sagaActive: Gauge
  readonly sagaDuration: Histogram
}

/** Seconds: from a flash to the day on which somebody has answered. */
const bounds = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400]

/** All at zero. */
export function sagaMetrics({ counter, gauge, histogram }: Registry, prefix: string): SagaMetrics {
  return {
    sagaRecorded: counter({
      name: `${prefix}saga_recorded_total`,
      help: 'Compensations recorded with the ends of their steps.',
    }),
    sagaRollbacks: counter({ name: `${prefix}saga_rollbacks_total`, help: 'Rollbacks begun.' }),
    sagaDispatched: counter({
      name: `${prefix}saga_compensation_dispatched_total`,
      help: 'Attempts of compensations begun.',
    }),
    sagaFailed: counter({
      name: `${prefix}saga_compensation_failed_total`,
      help: 'Compensations that failed for good, so that their rollback waits for somebody.',
    }),
    sagaUnmarshalErrors: counter({
      name: `${prefix}saga_unmarshal_errors_total`,
      help: 'Recorded compensations that mean nothing to the version of their run.',
    }),
    sagaActive: gauge({ name: `${prefix}saga_active`, help: 'Runs that are being rolled back.' }),
    sagaDuration: histogram({
      name: `${prefix}saga_rollback_duration_seconds`,
      help: 'From the begin of a rollback to its end.',
      bounds,
    }),
  }
}

/** Counts what a committed decision tells of rollbacks; nothing for a run that has no compensation. */
export function observeSaga(metrics: SagaMetrics, { checkpoint }: Decision): void {
  const { invocations } = checkpoint.writes
  if (invocations.every(isForward)) return
  const undos = invocations.filter((record) => !isForward(record))
  const ids = new Set<string | null>(undos.map(({ id }) => id))
  for (const event of checkpoint.events) {
    if (event.body.type === 'run.changed') observeRun(metrics, event, { undos, at: checkpoint.at })
    else if (ids.has(event.invocationId)) observeUndo(metrics, event)
  }
}

const isForward = ({ role }: InvocationRecord): boolean => role === 'forward'

function observeRun(
  metrics: SagaMetrics,
  { body }: EventDraft,
  by: { readonly undos: readonly InvocationRecord[]; readonly at: number },
): void {
  if (body.type !== 'run.changed' || body.from === body.to) return
  const { from, to } = body
  if (to === 'COMPENSATING' && from !== 'COMPENSATION_FAILED') metrics.sagaRollbacks.add()
  if (to !== 'COMPENSATED' && to !== 'ABANDONED') return
  for (const undo of by.undos) {
    const begunAt = undo.dispatch?.undoes?.begunAt
    if (begunAt === undefined) continue
    metrics.sagaDuration.observe((by.at - begunAt) / 1_000)
    return
  }
}

function observeUndo(metrics: SagaMetrics, { body, cause }: EventDraft): void {
  if (body.type === 'invocation.registered') {
    if (cause.kind === 'recorded') metrics.sagaRecorded.add()
    return
  }
  if (body.type !== 'invocation.changed' || body.from === body.to) return
  if (body.to === 'RUNNING') metrics.sagaDispatched.add()
  else if (body.to !== 'FAILED' && body.to !== 'TIMEOUT') return
  else if (body.set.error?.code === undecodable) metrics.sagaUnmarshalErrors.add()
  else metrics.sagaFailed.add()
}
