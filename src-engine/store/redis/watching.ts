/** Hints for watchers: own writes at once, those of others by what the head of a watched partition tells. */

import type { Millis } from '../../model/time.ts'
import type { Hint, Hints } from '../hints.ts'
import { createHints } from '../hints.ts'
import type { PartitionReader } from './partition-reader.ts'
import type { RedisClock } from './redis-options.ts'

/** Others' commits are told by a message; this finds what a lost message was about. */
const lookMs: Millis = 250

export interface Watching {
  readonly watch: (partition: number, hint: Hint) => () => void
  /** This store wrote there. */
  readonly wrote: (partition: number) => void
  /** Looks at the partition now. */
  readonly look: (partition: number) => void
  readonly stop: () => void
}

export function createWatching(readers: readonly PartitionReader[], clock: RedisClock): Watching {
  const watched = readers.map((reader) => watchPartition(reader))
  let cancel: (() => void) | null = null
  const stop = (): void => {
    cancel?.()
    cancel = null
  }
  const lookAtAll = (): void => {
    cancel = clock.after(lookMs, lookAtAll)
    for (const item of watched) if (item.hints.count() > 0) item.look()
  }
  return {
    stop,
    look: (partition) => watched[partition]?.look(),
    wrote: (partition) => watched[partition]?.wrote(),
    watch(partition, hint) {
      const item = watched[partition]
      if (item === undefined) return () => undefined
      const unwatch = item.hints.watch(hint)
      // Where it ends now is no news.
      item.look()
      cancel ??= clock.after(lookMs, lookAtAll)
      return () => {
        unwatch()
        if (watched.every(({ hints }) => hints.count() === 0)) stop()
      }
    },
  }
}

interface Watched {
  readonly hints: Hints
  readonly look: () => void
  readonly wrote: () => void
}

function watchPartition(reader: PartitionReader): Watched {
  const hints = createHints()
  let end: string | null = null
  let looking = false
  const look = async (): Promise<void> => {
    const told = await reader.texts(['HMGET', reader.keys.of('head'), 'epoch', 'seq'])
    const found = told.join()
    // The first look only learns where it ends; after that every move is news, also one's own: better twice.
    if (end !== null && found !== end) hints.notify('elsewhere')
    end = found
  }
  return {
    hints,
    wrote: () => hints.notify('own'),
    look() {
      if (looking) return
      looking = true
      // What can't be read now is read at the next look.
      look()
        .catch(() => undefined)
        .finally(() => {
          looking = false
        })
    },
  }
}
