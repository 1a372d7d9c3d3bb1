/**
 * Which partitions are worth asking for work. One that was written to is, and one where something becomes
 * available by time; and all are, now and then, for a hint may get lost.
 */

import type { Instant, Millis } from '../../model/time.ts'
import type { FetchRequest } from '../store.ts'

export interface WorkHints {
  /** The partition was written to. */
  readonly note: (partition: number) => void
  /** Something there may become available at the instant. */
  readonly noteInstant: (partition: number, at: Instant) => void
  /** Those to ask now, for somebody with these abilities. */
  readonly next: (request: FetchRequest) => readonly number[]
  /** What asking gave: a partition that had nothing has nothing for the time being. */
  readonly found: (request: FetchRequest, partition: number, count: number) => void
}

/** How long work may stay unseen that no hint told of. */
export const wholeLookMs: Millis = 1_000

/** What one kind of asker still expects. */
interface Expected {
  readonly partitions: Set<number>
  wholeLookAt: Instant
}

export function createWorkHints(partitions: readonly number[], lookMs: Millis): WorkHints {
  const instants = new Map<number, Instant>()
  const byAsker = new Map<string, Expected>()
  const of = (request: FetchRequest): Expected => {
    const name = nameOf(request)
    const known = byAsker.get(name)
    if (known !== undefined) return known
    const made = { partitions: new Set(partitions), wholeLookAt: request.now }
    byAsker.set(name, made)
    return made
  }
  const note = (partition: number): void => {
    for (const expected of byAsker.values()) expected.partitions.add(partition)
  }
  return {
    note,
    noteInstant(partition, at) {
      instants.set(partition, Math.min(at, instants.get(partition) ?? at))
    },
    next(request) {
      const { now } = request
      for (const [partition, at] of instants) {
        if (at > now) continue
        instants.delete(partition)
        note(partition)
      }
      const expected = of(request)
      // A clock that was set back must not put it off.
      if (now < expected.wholeLookAt + lookMs && now >= expected.wholeLookAt) {
        return [...expected.partitions]
      }
      expected.wholeLookAt = now
      return partitions
    },
    found(request, partition, count) {
      const expected = of(request)
      if (count > 0) expected.partitions.add(partition)
      else expected.partitions.delete(partition)
    },
  }
}

/** Who asks for other work finds other work: what one has exhausted is full for another. */
const nameOf = ({ runnerId, pools, capabilities, labels, tags }: FetchRequest): string =>
  JSON.stringify([runnerId, pools, capabilities, labels, tags ?? []])
