/** The election as everybody could see it now: a look that claims nothing. */

import type { ActiveRunner } from '../../core/atomic-service/decide.ts'
import {
  byAge,
  decideAtomicServiceClaim,
  effectiveMarginMs,
  nextSlotStart,
} from '../../core/atomic-service/decide.ts'
import type { Clock } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Instant } from '../../model/time.ts'
import type { AtomicServiceSlot, AtomicServiceStatus } from '../../protocol/atomic-service.ts'
import type { Store } from '../../store/store.ts'
import type { ActiveRunnersQuery } from './active-runners.ts'
import { listActiveRunners } from './active-runners.ts'
import { latestExecutions } from './latest-executions.ts'

interface StatusQuery {
  readonly store: Store
  readonly partition: number
  readonly settings: EngineSettings
  readonly now: Instant
  /** Runners that live and may do chores, in any order. */
  readonly runners: readonly ActiveRunner[]
  /** How many of the last turns are told. */
  readonly limit: number
}

/** What the runners' slots are and how their last turns went. */
async function atomicServiceStatus(query: StatusQuery): Promise<AtomicServiceStatus> {
  const { store, partition, settings, now, limit } = query
  const runners = query.runners.toSorted(byAge)
  const intervalMs = settings.atomicServiceIntervalMs
  const marginMs =
    runners.length === 1
      ? 0
      : effectiveMarginMs(intervalMs, settings.atomicServiceSpreadMarginMs, runners.length)
  const filter = { runnerId: null, minDurationMs: 0, limit: Number.MAX_SAFE_INTEGER }
  const turns = await latestExecutions(store, partition, filter)
  return {
    now,
    intervalMs,
    marginMs,
    running: turns.find(({ status }) => status === 'RUNNING') ?? null,
    slots: runners.map((runner, position) => slotOf(query, { runner, position, runners, marginMs })),
    turns: turns.slice(0, limit),
  }
}

function slotOf(
  { settings, now }: StatusQuery,
  seen: {
    readonly runner: ActiveRunner
    readonly position: number
    readonly runners: readonly ActiveRunner[]
    readonly marginMs: number
  },
): AtomicServiceSlot {
  const { runner, position, runners, marginMs } = seen
  const inputs = {
    runnerId: runner.id,
    activeRunners: runners,
    now,
    intervalMs: settings.atomicServiceIntervalMs,
    marginMs,
    stabilizationMs: settings.atomicServiceMembershipStabilizationMs,
    maxStartSlotFraction: settings.atomicServiceMaxStartSlotFraction,
  }
  const { slotStart, slotEnd, isOwnerNow, reason, skipMessage } = decideAtomicServiceClaim(inputs)
  return {
    runnerId: runner.id,
    position,
    createdAt: runner.createdAt,
    slotStart,
    slotEnd,
    // What begins at this very instant is the slot that is on.
    nextStart: nextSlotStart({ ...inputs, now: now + 1 }),
    isOwnerNow,
    reason,
    skipMessage,
  }
}

interface StatusLookParts extends Pick<StatusQuery, 'store' | 'partition' | 'settings'> {
  readonly clock: Pick<Clock, 'now'>
  readonly isProvenGone: ActiveRunnersQuery['isProvenGone']
  readonly isSilent: ActiveRunnersQuery['isSilent']
}

/** The look of one process, with as many of the last turns as asked for. */
export function createStatusLook(parts: StatusLookParts): (turnsMax: number) => Promise<AtomicServiceStatus> {
  const { clock, ...query } = parts
  return async (limit) => {
    const runners = await listActiveRunners(query)
    return atomicServiceStatus({ ...query, now: clock.now(), runners, limit })
  }
}
