/** Hints for watchers: own writes at once, those of others by what the head of a watched partition tells. */

import type { Millis } from '../../model/time.ts'
import type { Hint, Hints } from '../hints.ts'
import { createHints } from '../hints.ts'
import type { PartitionKeys } from './layout.ts'
import type { PartitionReader } from './partition-reader.ts'
import type { RedisClock } from './redis-options.ts'

/** Others' commits are told by a message; this finds what a lost message was about. */
const lookMs: Millis = 500
/** Partitions that are looked at together, in turns: many processes look, and mostly in vain. */
const looksMax = 8

export interface Wrote {
  readonly seq: number
  readonly count: number
}

/** Where a feed ends. */
export interface FeedEnd {
  readonly epoch: number
  readonly seq: number
}

const noEnd: FeedEnd = { epoch: 0, seq: 0 }

export interface Watching {
  readonly watch: (partition: number, hint: Hint) => () => void
  /** This store wrote so many events there, the last of them with the sequence number. */
  readonly wrote: (partition: number, wrote: Wrote) => void
  /** Somebody else wrote there, as a message tells. */
  readonly heard: (partition: number, end: FeedEnd) => void
  readonly stop: () => void
}

export interface WatchingOptions {
  readonly heads: readonly FeedEnd[]
  readonly clock: RedisClock
  /** Told what is watched, now and then. */
  readonly hear: (partitions: readonly PartitionKeys[]) => void
}

export function createWatching(
  readers: readonly PartitionReader[],
  { heads, clock, hear }: WatchingOptions,
): Watching {
  const watched = readers.map((reader, partition) => watchPartition(reader, heads[partition] ?? noEnd))
  let cancel: (() => void) | null = null
  let turn = 0
  const stop = (): void => {
    cancel?.()
    cancel = null
  }
  const hearAll = (): void => {
    hear(watched.filter(({ hints }) => hints.count() > 0).map(({ keys }) => keys))
  }
  const lookAtAll = (): void => {
    cancel = clock.after(lookMs, lookAtAll)
    const listened = watched.filter(({ hints }) => hints.count() > 0)
    for (let count = 0; count < Math.min(looksMax, listened.length); count += 1) {
      listened[(turn + count) % listened.length]?.look()
    }
    turn += looksMax
    hearAll()
  }
  return {
    stop,
    heard: (partition, end) => watched[partition]?.heard(end),
    wrote: (partition, wrote) => watched[partition]?.wrote(wrote),
    watch(partition, hint) {
      const item = watched[partition]
      if (item === undefined) return () => undefined
      const unwatch = item.hints.watch(hint)
      // While nobody watched nobody looked.
      item.look()
      cancel ??= clock.after(lookMs, lookAtAll)
      hearAll()
      return () => {
        unwatch()
        if (watched.every(({ hints }) => hints.count() === 0)) stop()
      }
    },
  }
}

interface Watched {
  readonly hints: Hints
  readonly keys: PartitionKeys
  readonly heard: (end: FeedEnd) => void
  readonly look: () => void
  readonly wrote: (wrote: Wrote) => void
}

function watchPartition(reader: PartitionReader, start: FeedEnd): Watched {
  const hints = createHints()
  let end = start
  let looking = false
  let asked = false
  const lookWhileAsked = async (): Promise<void> => {
    while (asked) {
      asked = false
      // What can't be read now is read at the next look.
      await look().catch(() => undefined)
    }
    looking = false
  }
  const heard = (found: FeedEnd): void => {
    // What was overtaken by an own write says nothing.
    if (found.epoch < end.epoch || (found.epoch === end.epoch && found.seq <= end.seq)) return
    end = found
    hints.notify('elsewhere')
  }
  const look = async (): Promise<void> => {
    const [epoch, seq] = await reader.texts(['HMGET', reader.keys.of('head'), 'epoch', 'seq'])
    heard({ epoch: Number(epoch), seq: Number(seq) })
  }
  return {
    hints,
    keys: reader.keys,
    heard,
    wrote({ seq, count }) {
      // When nobody wrote in between there is nothing else to find.
      if (end.seq + count === seq) end = { epoch: end.epoch, seq }
      hints.notify('own')
    },
    look() {
      asked = true
      if (looking) return
      looking = true
      void lookWhileAsked()
    },
  }
}
