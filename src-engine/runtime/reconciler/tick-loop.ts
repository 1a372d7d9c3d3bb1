/** A turn at an interval, done by one process at a time: whoever gets the hold, for its whole time. */

import { recordOfThrown } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Locks } from '../locks/locks.ts'

export interface TickLoop {
  readonly start: () => void
  readonly stop: () => void
}

export interface TickLoopOptions {
  /** The lock's key, also its name in the log. */
  readonly key: string
  readonly intervalMs: Millis
  /** The hold is left to expire: within this span nobody else takes a turn. */
  readonly holdMs: Millis
  readonly clock: Clock
  readonly log: Logger
  readonly locks: Locks
  /** Checks between its steps whether it still runs. */
  readonly turn: (isRunning: () => boolean) => Promise<void>
}

/** Not started yet; a turn that throws is logged, and the next one comes. */
export function createTickLoop(options: TickLoopOptions): TickLoop {
  const { key, intervalMs, holdMs, clock, log, locks, turn } = options
  let running = false
  let cancel: () => void = () => {}
  const isRunning = (): boolean => running
  const tick = async (): Promise<void> => {
    try {
      if (await locks.hold(key, holdMs, intervalMs)) await turn(isRunning)
    } catch (thrown) {
      log.warn('tick.failed', { key, error: recordOfThrown(thrown).message })
    }
    if (running) later()
  }
  const later = (): void => {
    cancel = clock.after(intervalMs, () => void tick())
  }
  return {
    start: () => {
      if (running) return
      running = true
      later()
    },
    stop: () => {
      running = false
      cancel()
    },
  }
}

/** Between two batches: a store that answers at once would keep everything else from its turn. */
export const betweenBatches = (clock: Pick<Clock, 'after'>): Promise<void> =>
  new Promise((resolve) => {
    clock.after(0, resolve)
  })
