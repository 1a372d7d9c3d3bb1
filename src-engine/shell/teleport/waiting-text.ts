/** What a run waits for, kept with its copy: why it waits can only be told where it does. */

import type { RunId } from '../../model/ids.ts'
import { runMachine } from '../../model/run-status.ts'
import { whyWaiting } from '../../runtime/routing/why-waiting.ts'
import { partitionOfRun } from '../../runtime/run-place.ts'
import type { Store } from '../../store/store.ts'
import { overloadLimitsOf } from '../runner-standings.ts'
import { tenantLimitsOf } from '../tenant-limits.ts'
import type { TeleportDeskParts } from './desk-parts.ts'

/** JSON text of the reasons; of a run that has ended, or is no more, none. */
export async function waitingText(
  { settings, clock }: Pick<TeleportDeskParts, 'settings' | 'clock'>,
  store: Store,
  runId: RunId,
): Promise<string> {
  const run = await store.load(partitionOfRun(store.info, runId), 'run', { runId })
  if (run === null || runMachine.final.has(run.status)) return '[]'
  const waiting = await whyWaiting(store, {
    runId,
    nodeId: null,
    now: clock.now(),
    limits: overloadLimitsOf(settings.reports),
    otherTenants: tenantLimitsOf(settings.reports),
  })
  return JSON.stringify(waiting)
}
