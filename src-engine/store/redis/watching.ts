/**
 * Hints for watchers: own writes at once, those of others by messages. Who follows events is told of each write; all
 * others of what may be news to them, for a step that goes on where it is concerns nobody else.
 */

import type { Millis } from '../../model/time.ts'
import type { Hint, Hints, HintTopic, News } from '../hints.ts'
import { anyNews, createHints, noNews } from '../hints.ts'
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
  readonly found: News
}

/** What somebody wants to hear of a partition. */
export interface Wish {
  readonly keys: PartitionKeys
  readonly topics: readonly HintTopic[]
}

/** Where a feed ends. */
export interface FeedEnd {
  readonly epoch: number
  readonly seq: number
}

const topics: readonly HintTopic[] = ['events', 'news']
const noEnd: FeedEnd = { epoch: 0, seq: 0 }

export interface Watching {
  readonly watch: (partition: number, hint: Hint, topic: HintTopic) => () => void
  /** This store wrote so many events there, the last of them with the sequence number. */
  readonly wrote: (partition: number, wrote: Wrote) => void
  /** Somebody else wrote there, as a message tells. */
  readonly heard: (partition: number, end: FeedEnd, found: News) => void
  readonly stop: () => void
}

export interface WatchingOptions {
  readonly heads: readonly FeedEnd[]
  readonly clock: RedisClock
  /** Told what is watched, now and then. */
  readonly hear: (wishes: readonly Wish[]) => void
  /** Told before the watchers that somebody else has written there, and where the feed ended then. */
  readonly elsewhere: (partition: number, end: FeedEnd) => void
}

export function createWatching(
  readers: readonly PartitionReader[],
  { heads, clock, hear, elsewhere }: WatchingOptions,
): Watching {
  const watched = readers.map((reader, partition) =>
    watchPartition(reader, heads[partition] ?? noEnd, (end) => elsewhere(partition, end)),
  )
  let cancel: (() => void) | null = null
  let turn = 0
  const stop = (): void => {
    cancel?.()
    cancel = null
  }
  const hearAll = (): void => {
    const wishes = watched.map(({ hints, keys }) => {
      return { keys, topics: topics.filter((topic) => hints.count(topic) > 0) }
    })
    hear(wishes.filter((wish) => wish.topics.length > 0))
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
    heard: (partition, end, found) => watched[partition]?.heard(end, found),
    wrote: (partition, wrote) => watched[partition]?.wrote(wrote),
    watch(partition, hint, topic) {
      const item = watched[partition]
      if (item === undefined) return () => undefined
      const unwatch = item.hints.watch(hint, topic)
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
  readonly heard: (end: FeedEnd, found: News) => void
  readonly look: () => void
  readonly wrote: (wrote: Wrote) => void
}

function watchPartition(reader: PartitionReader, start: FeedEnd, elsewhere: (end: FeedEnd) => void): Watched {
  const hints = createHints()
  let end = start
  /** Up to where others' news are known. */
  let toldEnd = start
  /** The last own write that had news. */
  let ownNews = 0
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
  /** Both channels may tell of the same write, and what was overtaken by an own one says nothing. */
  const heard = (reached: FeedEnd, found: News): void => {
    const isLater = isAfter(reached, end)
    const isNews = found !== noNews && isAfter(reached, toldEnd)
    if (isLater) end = reached
    if (isNews) toldEnd = reached
    if (!isLater && !isNews) return
    elsewhere(reached)
    hints.notify('elsewhere', isNews ? found : noNews)
  }
  /** Finds what a lost message was about. */
  const look = async (): Promise<void> => {
    const answer = await reader.texts(['HMGET', reader.keys.of('head'), 'epoch', 'seq', 'told'])
    const [epoch = 0, seq = 0, told = 0] = answer.map(Number)
    if (told !== ownNews) heard({ epoch, seq: told }, anyNews)
    heard({ epoch, seq }, noNews)
  }
  return {
    hints,
    keys: reader.keys,
    heard,
    wrote({ seq, count, found }) {
      // When nobody wrote in between there is nothing else to find.
      if (end.seq + count === seq) end = { epoch: end.epoch, seq }
      if (found !== noNews) ownNews = seq
      hints.notify('own', found)
    },
    look() {
      asked = true
      if (looking) return
      looking = true
      void lookWhileAsked()
    },
  }
}

export const isAfter = (a: FeedEnd, b: FeedEnd): boolean =>
  a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)
