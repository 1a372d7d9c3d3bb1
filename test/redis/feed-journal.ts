/** What the feed told a client, on disk: an hour of it is more than a process should hold. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { linesOf } from '../support/file-lines.ts'

/** An event as far as it says whether it is the same one. */
export type SeenEvent = Pick<EngineEvent, 'partition' | 'epoch' | 'seq' | 'opId'> & {
  readonly type: EngineEvent['body']['type']
}

export interface FeedJournal {
  readonly note: (events: readonly EngineEvent[]) => void
  /** What was seen of a partition, in the order of its coming. */
  readonly of: (partition: number) => readonly SeenEvent[]
  readonly count: () => number
  /** Whether the feed has come that far in a partition. */
  readonly hasReached: (place: Pick<EngineEvent, 'partition' | 'epoch' | 'seq'>) => boolean
}

/** Events of a partition that are kept before they are written. */
const flushAt = 500

/** Writes into the directory, a file for each partition. */
export function createFeedJournal(directory: string): FeedJournal {
  const kept = new Map<number, string[]>()
  const ends = new Map<number, { epoch: number; seq: number }>()
  const fileOf = (partition: number): string => join(directory, `feed-${partition}.jsonl`)
  const flush = (partition: number): void => {
    appendFileSync(fileOf(partition), (kept.get(partition) ?? []).join(''))
    kept.set(partition, [])
  }
  let count = 0
  return {
    note(events) {
      count += events.length
      for (const { partition, epoch, seq, opId, body } of events) {
        const lines = kept.get(partition) ?? []
        kept.set(partition, lines)
        lines.push(
          `${JSON.stringify({ partition, epoch, seq, opId, type: body.type } satisfies SeenEvent)}\n`,
        )
        if (lines.length >= flushAt) flush(partition)
        ends.set(partition, { epoch, seq })
      }
    },
    of(partition) {
      flush(partition)
      return [...linesOf(fileOf(partition))].map((line) => JSON.parse(line) as SeenEvent)
    },
    count: () => count,
    hasReached({ partition, epoch, seq }) {
      const end = ends.get(partition)
      if (end === undefined) return seq === 0
      return end.epoch > epoch || (end.epoch === epoch && end.seq >= seq) || seq === 0
    },
  }
}
