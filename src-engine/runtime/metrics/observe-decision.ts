/** What committed decisions count as. Reads their events: these tell every change exactly once. */

import type { Decision } from '../../core/draft.ts'
import type { EventDraft } from '../../model/event.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { runMachine } from '../../model/run-status.ts'
import { observeApproval } from './approval-metrics.ts'
import type { EngineMetrics } from './engine-metrics.ts'
import { observePolicy } from './policy-metrics.ts'
import { observeSaga } from './saga-metrics.ts'

/** Counts a decision that was committed. */
export function observeDecision(metrics: EngineMetrics, decision: Decision): void {
  const { checkpoint, started } = decision
  observeSaga(metrics, decision)
  for (const event of checkpoint.events) {
    observeEvent(metrics, event)
    observePolicy(metrics, event)
    observeApproval(metrics, event, checkpoint.at)
  }
  for (const { reason } of checkpoint.writes.deadLetters) metrics.deadLetters(reason).add()
  for (const { registeredAt, attempt, startedAt } of started) {
    if (attempt === 1) metrics.dispatchLatency.observe(((startedAt ?? checkpoint.at) - registeredAt) / 1_000)
  }
  const { run } = checkpoint.writes
  if (run === null || run.finishedAt !== checkpoint.at || !runMachine.final.has(run.status)) return
  metrics.workflowDuration.observe((checkpoint.at - run.createdAt) / 1_000)
}

function observeEvent(metrics: EngineMetrics, { body }: EventDraft): void {
  if (body.type === 'invocation.changed') {
    const { from, to } = body
    if (from === to) return
    if (to === 'PENDING') metrics.jobsDispatched.add()
    else if (to === 'PENDING_RECOVERY' || to === 'RUNNING_RECOVERY') metrics.recoveries(from).add()
    else if (from === 'PENDING' && to === 'REROUTED') metrics.dispatchRollback.add()
    else if (invocationMachine.final.has(to)) metrics.jobsCompleted(to).add()
  } else if (body.type === 'invocation.registered') metrics.jobsReceived.add()
  else if (body.type === 'run.created') metrics.workflowsStarted.add()
  else if (body.type === 'run.changed' && body.from !== body.to && runMachine.final.has(body.to)) {
    metrics.workflowsCompleted(body.to).add()
  }
}
