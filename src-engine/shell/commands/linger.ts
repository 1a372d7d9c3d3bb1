/** What a command's own engine does for runs that it recovered: gives them a moment to end before it stops. */

import type { Clock } from '../../model/ports.ts'
import type { EngineHost } from '../engine-host.ts'
import { findRuns } from '../run-list.ts'

/** Longer than most steps; what needs more is handed back and goes on with the next engine. */
const lingerMs = 10_000
const runsMax = 200

/** Waits for runs that are under way on this engine, but not for ones that wait themselves. */
export async function lingerForOthers(host: EngineHost | null, clock: Clock): Promise<void> {
  if (host === null) return
  const query = { statuses: ['CREATED', 'RUNNING'], workflowId: null, after: null, limit: runsMax } as const
  const { runs: others } = await findRuns(host.engine.store, query)
  const timeout = new AbortController()
  const cancelTimer = clock.after(lingerMs, () => timeout.abort())
  await Promise.allSettled(others.map(({ id }) => host.engine.waitForRun(id, timeout.signal)))
  cancelTimer()
}
