/**
 * Attempts of one run that succeed in the same turn of the event loop are recorded together: one decision, one
 * checkpoint, one row of events, where a fan-out of hundreds would need as many of each. Nobody waits for it:
 * what has ended when the microtasks before have run is what is recorded.
 */

import type { AttemptFact } from '../core/finish-attempt.ts'
import type { RunId } from '../model/ids.ts'

/** Few enough that a refused checkpoint costs little, and many enough that its own cost doesn't count. */
const sharedMax = 32

/** An attempt that succeeded. */
export interface EndedAttempt {
  readonly fact: AttemptFact
  /** Frees its slot: right before the decision, so that this can take the next steps of the run. */
  readonly freed: () => void
  /** The claim that it ran ahead of was refused: it never was. */
  readonly isVoid: () => boolean
}

export interface SharedEnds {
  /** Resolves when the end is recorded. */
  readonly add: (runId: RunId, ended: EndedAttempt) => Promise<void>
}

interface Batch {
  readonly ends: EndedAttempt[]
  readonly recorded: Promise<void>
}

/** `record` is called with at least one end. */
export function createSharedEnds(
  record: (runId: RunId, ends: readonly EndedAttempt[]) => Promise<void>,
): SharedEnds {
  const openByRun = new Map<RunId, Batch>()
  const begin = (runId: RunId, first: EndedAttempt): Batch => {
    const ends = [first]
    const recorded = Promise.resolve().then(() => {
      if (openByRun.get(runId) === batch) openByRun.delete(runId)
      return record(runId, ends)
    })
    const batch: Batch = { ends, recorded }
    openByRun.set(runId, batch)
    return batch
  }
  return {
    add: (runId, ended) => {
      const open = openByRun.get(runId)
      if (open === undefined || open.ends.length >= sharedMax) return begin(runId, ended).recorded
      open.ends.push(ended)
      return open.recorded
    },
  }
}
