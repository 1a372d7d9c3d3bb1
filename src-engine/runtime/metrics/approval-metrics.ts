/** What is counted of approvals: Cordum's approval set under our prefix. */

import type { EventDraft } from '../../model/event.ts'
import type { Instant } from '../../model/time.ts'
import type { Counter, Gauge, Histogram, PerLabel, Registry } from './registry.ts'

export interface ApprovalMetrics {
  /** Read from the store when somebody asks. */
  readonly approvalQueueDepth: Gauge
  readonly approvalDecisions: PerLabel<Counter>
  readonly approvalExpired: Counter
  readonly approvalLatency: Histogram
}

/** All at zero; `bounds` are seconds. */
export function approvalMetrics(
  { counter, counterBy, gauge, histogram }: Registry,
  prefix: string,
  bounds: readonly number[],
): ApprovalMetrics {
  return {
    approvalQueueDepth: gauge({
      name: `${prefix}approval_queue_depth`,
      help: 'Steps that wait for a person, in the whole store.',
    }),
    approvalDecisions: counterBy({
      name: `${prefix}approval_decisions_total`,
      help: 'What people decided about what they were asked, by outcome.',
      label: 'outcome',
    }),
    approvalExpired: counter({
      name: `${prefix}approval_expired_total`,
      help: 'Questions that nobody answered in time.',
    }),
    approvalLatency: histogram({
      name: `${prefix}approval_latency_seconds`,
      help: 'From the question to the decision.',
      bounds,
    }),
  }
}

/** Counts what an event of that instant tells of approvals. */
export function observeApproval(metrics: ApprovalMetrics, { body }: EventDraft, at: Instant): void {
  if (body.type !== 'invocation.changed' || body.from !== 'APPROVAL_REQUIRED') return
  const decided = body.set.dispatch?.approval
  // It stays on the record: only the change that brought it decides something.
  if (decided === undefined || decided.at !== at) return
  if (decided.outcome === 'expired') metrics.approvalExpired.add()
  else metrics.approvalDecisions(decided.outcome).add()
  if (decided.requestedAt !== undefined) metrics.approvalLatency.observe((at - decided.requestedAt) / 1_000)
}
