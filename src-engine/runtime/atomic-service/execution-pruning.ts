/**
 * Removes audit rows of the chores over age or count. To look at all of them takes longer than the rest of a turn that
 * finds nothing to do, so a runner looks once some may be over by a twentieth of what is allowed, and not in each turn.
 */

import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { StartRecordDependencies, StoredExecution } from './start-record.ts'
import { listExecutions, removeExecutions } from './start-record.ts'

export interface ExecutionPruning {
  /** A turn of this runner, one of so many that take turns, has ended. Resolves with how many rows went. */
  readonly turnEnded: (runners: number) => Promise<number>
}

/** Of what is allowed: a row may stay so much longer, and there may be so many more. */
const slack = 1 / 20

/** Nothing looked at yet: the first turn that ends does. */
export function createExecutionPruning(
  dependencies: StartRecordDependencies,
  settings: Pick<EngineSettings, 'atomicServiceExecutionRetentionMs' | 'atomicServiceExecutionMaxRecords'>,
): ExecutionPruning {
  const { atomicServiceExecutionRetentionMs: retentionMs, atomicServiceExecutionMaxRecords: recordsMax } =
    settings
  // How many rows there are isn't known before the first look.
  let turns = recordsMax
  let oldestEnd: Instant = 0
  return {
    async turnEnded(runners) {
      turns += 1
      const now = dependencies.clock.now()
      const isOld = retentionMs > 0 && now - oldestEnd > retentionMs * (1 + slack)
      // The others leave as many rows meanwhile.
      const isMany = recordsMax > 0 && turns * Math.max(1, runners) >= recordsMax * slack
      if (!isOld && !isMany) return 0
      const { over, oldestLeft } = await lookAtAll(dependencies, { retentionMs, recordsMax })
      // Another runner that removes some of them is in the way: the next turn looks again.
      if (over.length > 0 && !(await removeExecutions(dependencies, over))) return 0
      turns = 0
      oldestEnd = oldestLeft
      return over.length
    },
  }
}

interface Looked {
  /** Rows over age or count (0: no bound); never one that is RUNNING. */
  readonly over: readonly StoredExecution[]
  /** When the first of the others ended; now when there is none. */
  readonly oldestLeft: Instant
}

async function lookAtAll(
  dependencies: StartRecordDependencies,
  { retentionMs, recordsMax }: { readonly retentionMs: Millis; readonly recordsMax: number },
): Promise<Looked> {
  const rows = await listExecutions(dependencies)
  const now = dependencies.clock.now()
  const surplus = recordsMax === 0 ? 0 : rows.length - recordsMax
  const over: StoredExecution[] = []
  let oldestLeft = now
  for (const [index, row] of rows.entries()) {
    const { status, startedAt, endedAt } = row.record
    if (status === 'RUNNING') continue
    const end = endedAt ?? startedAt
    if ((retentionMs > 0 && now - end > retentionMs) || index < surplus) over.push(row)
    else oldestLeft = Math.min(oldestLeft, end)
  }
  return { over, oldestLeft }
}
