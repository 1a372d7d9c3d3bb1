/** Hints for watchers: own commits at once, those of other processes by a poll while somebody watches. */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Hint, Hints } from '../hints.ts'
import type { Database } from './connection.ts'

/** What a store needs of a clock. */
export type StoreClock = Pick<Clock, 'now' | 'after'>

/** Often enough to look live. */
const pollMs: Millis = 100
/** Rare enough that a process with nothing to do hardly wakes: half of what one did was this look. */
const quietPollMs: Millis = 250
/** Looks in vain, without a write of its own between them, after which nothing is expected soon. */
const vainLooksMax = 20

export interface Watching {
  readonly watch: (hint: Hint) => () => void
  /** This process wrote: others may answer soon. */
  readonly wrote: () => void
  readonly stop: () => void
}

/** SQLite's change counter tells whether another connection has written. */
export function createWatching(database: Database, hints: Hints, clock: StoreClock): Watching {
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  let cancel: (() => void) | null = null
  let vainLooks = 0
  const stop = (): void => {
    cancel?.()
    cancel = null
  }
  const check = (): void => {
    const current = dataVersion.get()
    vainLooks = current === seen ? vainLooks + 1 : 0
    cancel = clock.after(vainLooks < vainLooksMax ? pollMs : quietPollMs, check)
    if (current === seen) return
    seen = current
    hints.notify('elsewhere')
  }
  return {
    stop,
    wrote() {
      vainLooks = 0
    },
    watch(hint) {
      const unwatch = hints.watch(hint)
      cancel ??= clock.after(pollMs, check)
      return () => {
        unwatch()
        if (hints.count() === 0) stop()
      }
    },
  }
}
