/** What `doctor` says of the chores: who did them last, how it went, and whether anybody still does them. */

import { defaultEngineSettings } from '../../model/settings/engine-settings.ts'
import { spanText } from '../../model/summary.ts'
import type { Instant } from '../../model/time.ts'
import type { ExecutionRecord } from '../../runtime/atomic-service/execution-record.ts'
import { latestExecutions } from '../../runtime/atomic-service/latest-executions.ts'
import type { Store } from '../../store/store.ts'
import type { Finding } from './doctor-finding.ts'

/** As many turns as `doctor` counts. */
const shownMax = 100
/** So many cycles without a turn are no accident. */
const missedCyclesMax = 3

/** The latest turns in the slots of this store; `runners` is how many could take the next one. */
export async function checkChores(store: Store, now: Instant, runners: number): Promise<Finding> {
  const [partition = 0] = store.info.partitions
  const turns = await latestExecutions(store, partition, {
    runnerId: null,
    minDurationMs: 0,
    limit: shownMax,
  })
  const done = turns.find(({ status }) => status === 'COMPLETED')
  if (done === undefined) {
    return { check: 'chores', verdict: 'ok', message: 'no turn of the chores yet', hint: null }
  }
  const sinceMs = now - (done.endedAt ?? done.startedAt)
  const isMissed = runners > 0 && sinceMs > missedCyclesMax * defaultEngineSettings.atomicServiceIntervalMs
  return {
    check: 'chores',
    verdict: isMissed ? 'warn' : 'ok',
    message: `last done ${spanText(sinceMs)} ago by ${done.runnerId}; of ${turns.length} turns ${countsOf(turns)}`,
    hint: isMissed
      ? 'Recovery and schedules wait: start an engine that stays, such as sagasmith serve.'
      : null,
  }
}

function countsOf(turns: readonly ExecutionRecord[]): string {
  const reasons = new Map<string, number>()
  for (const { status, reason } of turns) {
    // `prior_running:ID runner:ID` names somebody else each time.
    const why = reason === null ? '' : ` (${reason.split(':')[0]})`
    const name = `${status.toLowerCase()}${why}`
    reasons.set(name, (reasons.get(name) ?? 0) + 1)
  }
  return [...reasons].map(([name, count]) => `${count} ${name}`).join(', ')
}
