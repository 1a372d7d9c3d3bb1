/** What `doctor` says of the chores' slots: whose turn it is when, and how the last turns went. */

import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { spanText } from '../../model/summary.ts'
import type { Instant } from '../../model/time.ts'
import type {
  AtomicServiceSlot,
  AtomicServiceStatus,
  AtomicServiceTurn,
} from '../../protocol/atomic-service.ts'
import { createStatusLook } from '../../runtime/atomic-service/status.ts'
import { isProvenGone } from '../../runtime/process-identity.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Store } from '../../store/store.ts'
import type { Finding } from './doctor-finding.ts'

/** As many turns as a person reads. */
const turnsShownMax = 5

/** One finding on the whole, one for each slot in its order, one for each of the last turns. */
export async function checkSlots(store: Store, settings: EngineSettings): Promise<readonly Finding[]> {
  const [partition = 0] = store.info.partitions
  const look = createStatusLook({
    store,
    partition,
    settings,
    clock: systemClock,
    isProvenGone,
    // One look has seen nobody's silence: it believes the clock.
    isSilent: ({ heartbeatAt }) => systemClock.now() - heartbeatAt > settings.runnerDeadAfterMs,
  })
  return slotFindings(await look(turnsShownMax))
}

/** The same for any look. */
export function slotFindings(status: AtomicServiceStatus): readonly Finding[] {
  const { slots, turns } = status
  return [overall(status), ...slots.map(slotFinding), ...turns.map(turnFinding)]
}

function overall({ now, slots, running, intervalMs, marginMs }: AtomicServiceStatus): Finding {
  const count = `${slots.length} ${slots.length === 1 ? 'runner takes' : 'runners take'} turns`
  const cycle = `every ${spanText(intervalMs)}, margin ${spanText(marginMs)}`
  const on = running === null ? '' : `; ${running.runnerId} is at it for ${spanText(now - running.startedAt)}`
  return {
    check: 'slots',
    verdict: 'ok',
    message: slots.length === 0 ? 'no runner takes turns now' : `${count} ${cycle}${on}`,
    hint: null,
  }
}

function slotFinding(slot: AtomicServiceSlot): Finding {
  const { runnerId, position, slotStart, slotEnd, nextStart, reason, isOwnerNow } = slot
  const window =
    slotStart === null || slotEnd === null ? 'no window' : `${clockText(slotStart)}–${clockText(slotEnd)}`
  const next = nextStart === null ? '' : `, next at ${clockText(nextStart)}`
  // A window that the margin eats up means that the chores are nobody's.
  const isInvalid = reason === 'SLOT_WINDOW_INVALID'
  return {
    check: `slot ${position + 1}`,
    verdict: isInvalid ? 'warn' : 'ok',
    message: `${runnerId} ${window}${next}${isOwnerNow ? ', its turn now' : ''} (${reason})`,
    hint: isInvalid ? 'Lower atomic_service_spread_margin_minutes.' : null,
  }
}

function turnFinding({ startedAt, endedAt, runnerId, kind, status, reason }: AtomicServiceTurn): Finding {
  const took = endedAt === null || endedAt === startedAt ? '' : ` in ${spanText(endedAt - startedAt)}`
  const why = reason === null ? '' : `: ${reason}`
  return {
    check: 'turn',
    verdict: status === 'ABANDONED' ? 'warn' : 'ok',
    message: `${clockText(startedAt)} ${runnerId} (${kind}) ${status}${took}${why}`,
    hint: status === 'ABANDONED' ? 'Nothing to do: the next turn catches up.' : null,
  }
}

/** In UTC, as the cycles are. */
const clockText = (at: Instant): string => new Date(at).toISOString().slice(11, 19)
