/** What is wrong with a month: judged from what the store accepted, what was told, and an oracle of slots. */

import { judgeJoined } from './judge-joined.ts'
import { judgeSchedules } from './judge-schedules.ts'
import { judgeTold } from './judge-told.ts'
import type { Ledger } from './ledger.ts'
import { isTriggered } from './ledger.ts'
import type { Trial } from './trial.ts'

/** Every problem in words; none for a good month. */
export const judgeMonth = (trial: Trial): readonly string[] => [
  ...judgeRuns(trial.ledger),
  ...judgeSchedules(trial),
  ...judgeTold(trial),
  ...judgeJoined(trial),
]

/** Runs and their records belong together, one to one, and all of them end. */
function judgeRuns({ runs, firings }: Ledger): readonly string[] {
  const problems: string[] = []
  const byId = new Map(firings.map((line) => [line.firing.id, line]))
  const keys = firings.map(({ firing }) => firing.id)
  if (new Set(keys).size !== keys.length) problems.push('a record was written twice')
  for (const { run, begun, endedAt } of runs.values()) {
    if (begun !== 1) problems.push(`${run.id} began ${begun} times`)
    if (!isTriggered(run)) continue
    if (endedAt === null) problems.push(`${run.id} has not ended`)
    const line = byId.get(run.cause.by ?? '')
    if (line?.firing.runId !== run.id) problems.push(`${run.id} has no record of why it began`)
  }
  for (const { firing } of firings)
    if (firing.runId !== null && !runs.has(firing.runId)) problems.push(`${firing.runId} never began`)
  return problems
}
