/** Hints for watchers: own commits at once, those of other processes by a poll while somebody watches. */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Hint, Hints } from '../hints.ts'
import type { Database } from './connection.ts'

/** What a store needs of a clock. */
export type StoreClock = Pick<Clock, 'now' | 'after'>

/** Often enough to look live, rare enough to cost nothing. */
const pollMs: Millis = 100

export interface Watching {
  readonly watch: (hint: Hint) => () => void
  readonly stop: () => void
}

/** SQLite's change counter tells whether another connection has written. */
export function createWatching(database: Database, hints: Hints, clock: StoreClock): Watching {
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  let cancel: (() => void) | null = null
  const stop = (): void => {
    cancel?.()
    cancel = null
  }
  const check = (): void => {
    cancel = clock.after(pollMs, check)
    const current = dataVersion.get()
    if (current === seen) return
    seen = current
    hints.notify('elsewhere')
  }
  return {
    stop,
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
