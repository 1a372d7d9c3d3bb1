/** The chores of an engine, put together: its own schedules, and the service that looks at them. */

import type { Ids } from '../../model/ports.ts'
import type { ProcessIdentity } from '../../model/runner.ts'
import type { Silence } from '../clock/silence.ts'
import type { CoreSlot } from '../core-tasks/core-slot.ts'
import { recoverySchedules } from '../core-tasks/recovery-schedules.ts'
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
  /** Where what the chores start is never kept waiting. */
  readonly coreSlot: CoreSlot
}

/** Not started yet. */
export function createChores(parts: ChoresParts): AtomicService {
  const { dependencies, ids, beat, isProvenGone, silence, coreSlot } = parts
  const { store, partition, clock, log, settings, runnerId } = dependencies
  const registered = recoverySchedules(settings).map(({ expression, document }) =>
    workflowSchedule(parts, { id: document.id, expression, document }),
  )
  const service = createAtomicService({
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
    activeRunners: () => listActiveRunners({ store, partition, isSilent: silence.ofRunner, isProvenGone }),
  })
  return {
    start: () => {
      coreSlot.start()
      return service.start()
    },
    stop: () => {
      coreSlot.stop()
      return service.stop()
    },
    wake: (reason) => service.wake(reason),
    recheck: () => service.recheck(),
  }
}
