/**
 * One turn of the chores from the look at the clock to the audit row: reap what dead runners left, decide
 * whose slot it is, open the start record, check that enough of the slot is left, do the work, end.
 */

import type { ActiveRunner, AtomicServiceClaim } from '../../core/atomic-service/decide.ts'
import { byAge, decideAtomicServiceClaim, effectiveMarginMs } from '../../core/atomic-service/decide.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { Logger } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Instant } from '../../model/time.ts'
import type { ExecutionPruning } from './execution-pruning.ts'
import type { ExecutionRecord, StartKind } from './execution-record.ts'
import type { OpenedRun, StartRecordDependencies } from './start-record.ts'
import { endRun, openRun, reapAbandoned, recordBlocked } from './start-record.ts'

export interface PerformDependencies extends StartRecordDependencies {
  readonly settings: EngineSettings
  readonly log: Logger
  /** Runners that live and may do chores, in any order. */
  readonly activeRunners: () => Promise<readonly ActiveRunner[]>
  readonly pruning: ExecutionPruning
  /** The work itself. Everything it writes names the run's fence as a precondition. */
  readonly evaluate: (run: OpenedRun) => Promise<void>
}

/** What became of a turn; `skipped` leaves no row. */
export type Performed = 'completed' | 'abandoned' | 'blocked' | 'skipped'

/** Reasons of the decision that leave a BLOCKED row; the others happen all the time and are silent. */
const recordedReasons: ReadonlySet<AtomicServiceClaim['reason']> = new Set([
  'SLOT_WINDOW_INVALID',
  'SCHEDULED_RUNNER_IN_GRACE',
  'LATE_START',
])

/** The decision of a runner now, with the margin that never takes more than half of a slot. */
export function claimNow(
  dependencies: Pick<PerformDependencies, 'settings' | 'runnerId'>,
  runners: readonly ActiveRunner[],
  now: Instant,
): AtomicServiceClaim {
  const { settings, runnerId } = dependencies
  const intervalMs = settings.atomicServiceIntervalMs
  return decideAtomicServiceClaim({
    runnerId,
    activeRunners: runners.toSorted(byAge),
    now,
    intervalMs,
    marginMs: effectiveMarginMs(intervalMs, settings.atomicServiceSpreadMarginMs, runners.length),
    stabilizationMs: settings.atomicServiceMembershipStabilizationMs,
    maxStartSlotFraction: settings.atomicServiceMaxStartSlotFraction,
  })
}

/** Takes a turn: in its slot (`slot`), or at once because something is due. */
export async function perform(dependencies: PerformDependencies, kind: StartKind): Promise<Performed> {
  const runners = await dependencies.activeRunners()
  const active = new Set(runners.map(({ id }) => id))
  const abandoned = await reapAbandoned(dependencies, {
    isActive: (id) => active.has(id),
    // By then every runner had its slot in vain.
    expiresAfterMs: dependencies.settings.atomicServiceIntervalMs,
  })
  if (abandoned !== null)
    dependencies.log.warn('atomic-service.reaped', { id: abandoned.id, runnerId: abandoned.runnerId })
  const claim = claimNow(dependencies, runners, dependencies.clock.now())
  const record = recordOf(dependencies, kind, claim)
  if (kind === 'slot' && claim.run === null) {
    if (!recordedReasons.has(claim.reason)) return 'skipped'
    await recordBlocked(dependencies, record, claim.reason)
    return 'blocked'
  }
  const answer = await openRun(dependencies, record)
  // Whoever is in its way prunes when it ends: with many runners each refusal would read all rows.
  if (answer.kind !== 'opened') return 'blocked'
  const performed = await work(dependencies, answer.run)
  await dependencies.pruning.turnEnded(runners.length)
  return performed
}

function recordOf(
  { runnerId, ids, clock }: PerformDependencies,
  kind: StartKind,
  claim: AtomicServiceClaim,
): ExecutionRecord {
  const isSlot = kind === 'slot'
  return {
    id: ids.next(),
    runnerId,
    kind,
    status: 'RUNNING',
    startedAt: clock.now(),
    endedAt: null,
    slotStart: isSlot ? claim.slotStart : null,
    slotEnd: isSlot ? claim.slotEnd : null,
    reason: null,
  }
}

async function work(dependencies: PerformDependencies, run: OpenedRun): Promise<Performed> {
  const { clock, settings, log, evaluate } = dependencies
  const { slotEnd, id } = run.record
  const marginMs = settings.atomicServiceMinRunMarginMs
  // The store may have taken its time: what would run into the next slot is left to that one.
  if (slotEnd !== null && marginMs > 0 && slotEnd - clock.now() < marginMs) {
    await endRun(dependencies, run, { status: 'ABANDONED', reason: 'no_margin' })
    return 'abandoned'
  }
  try {
    await evaluate(run)
  } catch (thrown) {
    const reason = recordOfThrown(thrown).message
    log.error('atomic-service.failed', { id, error: reason })
    await endRun(dependencies, run, { status: 'ABANDONED', reason })
    return 'abandoned'
  }
  // Not ended means that it was taken for dead meanwhile; its fence refused what came after.
  const ended = await endRun(dependencies, run, { status: 'COMPLETED', reason: null })
  return ended ? 'completed' : 'abandoned'
}
