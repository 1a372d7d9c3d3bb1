/** What somebody is told that is there already: it must be as safe as if it had just been written. */

import { recordOfThrown } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import { homePartition } from '../model/partition.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import { pauseAfter } from './failure-pause.ts'
import { epochOfRun } from './run-place.ts'

/**
 * Looks at a run, or (null) at what is no run's, and again where that was before a failover. A look that found `nothing` to tell is given as it is:
 * whoever wrote something is answered by the commit.
 */
export async function surelyThere<Found>(
  { info, confirm }: Pick<Store, 'info' | 'confirm'>,
  runId: RunId | null,
  { look, isThere }: { readonly look: () => Promise<Found>; readonly isThere: (found: Found) => boolean },
): Promise<Found> {
  for (;;) {
    const epoch = epochOf(info, runId)
    const found = await look()
    if (confirm === undefined || !isThere(found)) return found
    await confirm(runId)
    if (epochOf(info, runId) === epoch) return found
  }
}

const epochOf = (info: Store['info'], runId: RunId | null): number =>
  runId === null ? (info.epochs[homePartition] ?? 0) : epochOfRun(info, runId)

/**
 * Whether what was read of a run in that epoch is safe by now. False where another one has begun since, and, after a pause,
 * where nobody could say for now: then it is read again.
 */
export async function isSafe(
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Logger },
  runId: RunId,
  epoch: number,
): Promise<boolean> {
  if (store.confirm === undefined) return true
  try {
    await store.confirm(runId)
  } catch (thrown) {
    const { retryable, message } = recordOfThrown(thrown)
    if (!retryable) throw thrown
    log.error('confirm.failed', { runId, error: message })
    await pauseAfter(clock, 0)
    return false
  }
  return epochOfRun(store.info, runId) === epoch
}

/** Each failover begins one epoch; more of them while one thing is looked at are no failovers. */
const looksMax = 6

/**
 * What comes of something that this process knows to have been there. Where nothing does, or the run is not found, a failover may
 * have taken it back: then it is looked at again once its author has brought it back.
 */
export function unlessTakenBack<Found>(
  dependencies: Parameters<typeof isSafe>[0],
  runId: RunId,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  // Where nothing is ever taken back, each that waits for a commit would wait here, too, and be kept until then.
  return dependencies.store.confirm === undefined ? look() : lookedAtAgain(dependencies, runId, look)
}

async function lookedAtAgain<Found>(
  dependencies: Parameters<typeof isSafe>[0],
  runId: RunId,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  const { store } = dependencies
  let safeIn: number | null = null
  for (let looks = 1; ; looks += 1) {
    const epoch = epochOfRun(store.info, runId)
    let missed: { readonly thrown: unknown } | null = null
    try {
      const found = await look()
      if (found !== null) return found
    } catch (thrown) {
      if (recordOfThrown(thrown).code !== 'run_not_found') throw thrown
      missed = { thrown }
    }
    if (safeIn === epoch || looks === looksMax) {
      if (missed !== null) throw missed.thrown
      return null
    }
    safeIn = (await isSafe(dependencies, runId, epoch)) ? epoch : null
  }
}
