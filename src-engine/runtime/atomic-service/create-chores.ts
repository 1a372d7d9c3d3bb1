/** The chores of an engine, put together: its own schedules, and the service that looks at them. */

import type { Ids } from '../../model/ports.ts'
import type { ProcessIdentity } from '../../model/runner.ts'
import { recoverySchedules } from '../core-tasks/recovery-schedules.ts'
import type { Silence } from '../clock/silence.ts'
import { createSchedules } from '../schedules/schedules.ts'
import type { ScheduledStart } from '../schedules/start-scheduled.ts'
import { workflowSchedule } from '../schedules/start-scheduled.ts'
import { listActiveRunners } from './active-runners.ts'
import type { AtomicService } from './service.ts'
import { createAtomicService } from './service.ts'

export interface ChoresParts extends ScheduledStart {
  readonly ids: Ids
  readonly beat: () => Promise<unknown>
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
  readonly silence: Pick<Silence, 'ofRunner'>
}

/** Not started yet. */
export function createChores(parts: ChoresParts): AtomicService {
  const { dependencies, ids, beat, isProvenGone, silence } = parts
  const { store, partition, clock, log, settings, runnerId } = dependencies
  const registered = recoverySchedules(settings).map(({ expression, document }) =>
    workflowSchedule(parts, { id: document.id, expression, document }),
  )
  return createAtomicService({
    store,
    partition,
    runnerId,
    clock,
    ids,
    log,
    settings,
    beat,
    registered,
    schedules: createSchedules({ store, partition, clock, ids, log }),
    activeRunners: () =>
      listActiveRunners({ store, partition, isSilent: silence.ofRunner, isProvenGone }),
  })
}
