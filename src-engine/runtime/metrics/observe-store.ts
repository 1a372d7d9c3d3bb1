/** What claims and commits count as. */

import type { CommitAnswer } from '../../model/checkpoint.ts'
import type { StoreObserver } from '../engine-observer.ts'
import type { EngineMetrics } from './engine-metrics.ts'

/** Counts for these metrics. */
export function storeMetricsObserver(metrics: EngineMetrics): StoreObserver {
  return {
    claimed: (_request, { claimed, blocked }) => {
      metrics.claims.add(claimed.length)
      metrics.claimsBlocked.add(blocked.length)
      // A claim writes its own event: no decision of this process tells of it.
      metrics.jobsDispatched.add(claimed.length)
    },
    committed: (_checkpoints, answers, { ms }) => {
      metrics.commitDuration.observe(ms / 1_000)
      for (const answer of answers) observeAnswer(metrics, answer)
    },
  }
}

function observeAnswer(metrics: EngineMetrics, answer: CommitAnswer): void {
  if (answer.kind === 'accepted') metrics.commits.add()
  else if (answer.kind === 'repeated') metrics.commitsRepeated.add()
  else {
    const { kind } = answer.refusal
    metrics.commitsRefused(kind).add()
    if (kind === 'not-the-owner') metrics.fenceRefusals.add()
  }
}
