/** Hints for watchers: own writes at once, those of others by what the head of a watched partition tells. */

import type { Millis } from '../../model/time.ts'
import type { Hint, Hints } from '../hints.ts'
import { createHints } from '../hints.ts'
import type { PartitionReader } from './partition-reader.ts'
import type { RedisClock } from './redis-options.ts'

/** Others' commits are told by a message; this finds what a lost message was about. */
const lookMs: Millis = 250

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
  /** Looks at the partition now. */
  readonly look: (partition: number) => void
  readonly stop: () => void
}

export function createWatching(
  readers: readonly PartitionReader[],
  { heads, clock }: { readonly heads: readonly FeedEnd[]; readonly clock: RedisClock },
): Watching {
  const watched = readers.map((reader, partition) => watchPartition(reader, heads[partition] ?? noEnd))
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
    wrote: (partition, wrote) => watched[partition]?.wrote(wrote),
    watch(partition, hint) {
      const item = watched[partition]
      if (item === undefined) return () => undefined
      const unwatch = item.hints.watch(hint)
      // While nobody watched nobody looked.
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
  const look = async (): Promise<void> => {
    const [epoch, seq] = await reader.texts(['HMGET', reader.keys.of('head'), 'epoch', 'seq'])
    const found = { epoch: Number(epoch), seq: Number(seq) }
    // A look that was overtaken by an own write says nothing.
    if (found.epoch === end.epoch && found.seq <= end.seq) return
    end = found
    hints.notify('elsewhere')
  }
  return {
    hints,
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
