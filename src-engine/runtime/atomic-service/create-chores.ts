/** The chores of an engine, put together: its own schedules, and the service that looks at them. */

import type { Ids } from '../../model/ports.ts'
import type { ProcessIdentity } from '../../model/runner.ts'
import type { Silence } from '../clock/silence.ts'
import type { CoreSlot } from '../core-tasks/core-slot.ts'
import { recoverySchedules } from '../core-tasks/recovery-schedules.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { createSchedules } from '../schedules/schedules.ts'
import type { ScheduledStart } from '../schedules/start-scheduled.ts'
import { workflowSchedule } from '../schedules/start-scheduled.ts'
import type { DueTriggers } from '../triggers/due-triggers.ts'
import { listActiveRunners } from './active-runners.ts'
import { createExecutionPruning } from './execution-pruning.ts'
import type { AtomicService } from './service.ts'
import { createAtomicService } from './service.ts'

export interface ChoresParts extends ScheduledStart {
  readonly ids: Ids
  readonly beat: () => Promise<unknown>
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
  readonly silence: Pick<Silence, 'ofRunner'>
  /** Where what the chores start is never kept waiting. */
  readonly coreSlot: CoreSlot
  /** What else the clock brings about: its turn comes with that of the schedules. */
  readonly triggers: DueTriggers
}

/** Not started yet. */
export function createChores(parts: ChoresParts): AtomicService {
  const { dependencies, ids, beat, isProvenGone, silence, coreSlot, triggers } = parts
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
    pruning: createExecutionPruning({ store, partition, runnerId, clock, ids }, settings),
    schedules: withTriggers(createSchedules({ store, partition, clock, ids, log }), triggers),
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

/** The engine's own schedules first: they keep it going. */
const withTriggers = (schedules: Schedules, triggers: DueTriggers): Schedules => ({
  register: schedules.register,
  refresh: async () => {
    await schedules.refresh()
    await triggers.refresh()
  },
  evaluate: async (run) => {
    await schedules.evaluate(run)
    await triggers.evaluate(run)
  },
  nextAt: () => {
    const [own, due] = [schedules.nextAt(), triggers.nextAt()]
    return own === null || due === null ? (own ?? due) : Math.min(own, due)
  },
})
