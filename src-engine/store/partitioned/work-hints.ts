/**
 * Which partitions are worth asking for work. One that was written to is, and one where something becomes
 * available by time; and all are, now and then, for a hint may get lost: less often the longer that brings
 * nothing that no hint had told of.
 */

import type { DefinitionHash } from '../../model/ids.ts'
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
  /** All that was there was taken: until when it isn't looked at again, should some of that have come to nothing. */
  readonly taken: (request: FetchRequest, partition: number) => Instant
  /** Whether one that has something was left out of those to ask. */
  readonly hasResting: (request: FetchRequest) => boolean
}

/** How long work may stay unseen that no hint told of, where a hint was lost lately. */
export const wholeLookMs: Millis = 1_000
/**
 * How many times longer where none was. As long as a runner's own poll by default: whoever has nothing to do looks
 * no less often than it would anyway, and whoever is busy looks at all partitions no more often.
 */
const patienceMax = 5
/** How long what was taken may take to come back. */
const restMs: Millis = 1_000
/** Askers that began together don't look together: each takes up to so much less of the span. */
const jitter = 0.25

/** What one kind of asker still expects. */
interface Expected {
  /** Partitions to ask, each with the number of the note that told of it last. */
  readonly partitions: Map<number, number>
  /** Those of them that need no look until then. */
  readonly rests: Map<number, Instant>
  wholeLookAt: Instant
  /** How many spans the next look at all may wait. */
  patience: number
  /** What this asker takes of a span. */
  readonly share: number
}

/** Runners come with new ids; one that was forgotten asks all partitions again. */
const askersMax = 500

/** What each asker expects. */
interface Askers {
  readonly of: (request: FetchRequest) => Expected
  readonly all: () => Iterable<Expected>
}

/** Whoever is new expects something everywhere. */
function createAskers(partitions: readonly number[], notes: () => number): Askers {
  const byAsker = new Map<string, Expected>()
  const ofName = (name: string, { now }: FetchRequest): Expected => {
    const known = byAsker.get(name)
    if (known !== undefined) return known
    const all = partitions.map((partition) => [partition, notes()] as const)
    const made: Expected = {
      partitions: new Map(all),
      rests: new Map(),
      wholeLookAt: now,
      patience: 1,
      share: 1 - jitter * shareOf(name),
    }
    byAsker.set(name, made)
    const [oldest] = byAsker.keys()
    if (byAsker.size > askersMax && oldest !== undefined) byAsker.delete(oldest)
    return made
  }
  /** One look asks several times. */
  let last: { readonly request: FetchRequest; readonly expected: Expected } | null = null
  return {
    of(request) {
      if (last?.request !== request) last = { request, expected: ofName(nameOf(request), request) }
      return last.expected
    },
    all: () => byAsker.values(),
  }
}

export function createWorkHints(partitions: readonly number[], lookMs: Millis): WorkHints {
  const instants = new Map<number, Instant>()
  let notes = 0
  const { of, all } = createAskers(partitions, () => notes)
  /** The last note that a question came after: an answer may be later than the next question. */
  const askedAfter = new WeakMap<FetchRequest, number>()
  const isSince = (request: FetchRequest, noted: number): boolean => noted > (askedAfter.get(request) ?? 0)
  const note = (partition: number): void => {
    notes += 1
    for (const { partitions: open, rests } of all()) {
      open.set(partition, notes)
      rests.delete(partition)
    }
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
      askedAfter.set(request, notes)
      // A clock that was set back must not put it off.
      const span = lookMs * expected.patience * expected.share
      if (now < expected.wholeLookAt + span && now >= expected.wholeLookAt) {
        return dueOf(expected, now)
      }
      expected.wholeLookAt = now
      // Until it brings something that was not expected.
      expected.patience = Math.min(patienceMax, 2 * expected.patience)
      return partitions
    },
    found(request, partition, count) {
      const expected = of(request)
      const { partitions: open, rests } = expected
      const noted = open.get(partition) ?? 0
      // What there is besides what was taken before.
      rests.delete(partition)
      if (count > 0 && !open.has(partition)) expected.patience = 1
      if (count > 0) open.set(partition, noted)
      // What was written there while it was asked may have come after its answer.
      else if (!isSince(request, noted)) open.delete(partition)
    },
    taken(request, partition) {
      const { partitions: open, rests } = of(request)
      const until = request.now + restMs
      if (!isSince(request, open.get(partition) ?? 0)) rests.set(partition, until)
      return until
    },
    hasResting: (request) => of(request).rests.size > 0,
  }
}

/** A rest ends, also where the clock was set back. */
function dueOf({ partitions, rests }: Expected, now: Instant): readonly number[] {
  for (const [partition, until] of rests) {
    if (now >= until || until > now + restMs) rests.delete(partition)
  }
  return [...partitions.keys()].filter((partition) => !rests.has(partition))
}

/**
 * Who asks for other work finds other work: what one has exhausted is full for another. And whoever may do more than
 * before, for its pools, its labels or what it trusts have changed, asks all at once.
 */
const nameOf = ({ runnerId, pools, capabilities, labels, tags, definitions }: FetchRequest): string =>
  JSON.stringify([runnerId, pools, capabilities, labels, tags ?? [], listName(definitions ?? null)])

let lists = 0
const nameByList = new WeakMap<readonly DefinitionHash[], number>()

/** Lists of definitions may be long, and stay the same object while they say the same. */
function listName(definitions: readonly DefinitionHash[] | null): number {
  if (definitions === null) return 0
  const known = nameByList.get(definitions)
  if (known !== undefined) return known
  lists += 1
  nameByList.set(definitions, lists)
  return lists
}

/** A number from 0 to below 1 that depends on the name alone. */
function shareOf(name: string): number {
  let sum = 0
  for (let index = 0; index < name.length; index += 1) sum = (sum * 31 + name.charCodeAt(index)) % 65_521
  return sum / 65_521
}
