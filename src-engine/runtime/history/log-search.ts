/**
 * Looks through what was printed and what happened, over all runs: the history itself is read, there is no second
 * book. How far one answer goes is bounded; the next one goes on where it stopped.
 */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { nodeIdOf } from '../../model/ids.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { minute } from '../../model/time.ts'
import type { LogEntry, LogPage, LogQuery } from '../../protocol/history.ts'
import type { Store } from '../../store/store.ts'
import type { LiveLine } from '../engine.ts'
import type { PayloadStore } from '../payload-store.ts'
import { partitionOfRun } from '../run-place.ts'
import { entryFilter, isOfStep } from './log-filter.ts'
import type { FoundEntry } from './log-lines.ts'
import { createLogReader, entriesOfLog, entryOfEvent } from './log-lines.ts'
import { lookBack } from './look-back.ts'
import { lookOn } from './look-on.ts'
import { cursorText, historyEnds, placesBefore, placesOf } from './places.ts'
import { createTitles } from './titles.ts'

/** What steps printed stands where they ended, which may be that long after the end of what is asked for. */
const lateEndMs: Millis = 15 * minute
/** What steps that are under way printed: as much as a person reads. */
const printingMax = 500

export interface LogParts {
  readonly store: Store
  readonly payloads: Pick<PayloadStore, 'value'>
  /** What steps that are under way in this process have printed. */
  readonly printing: readonly LiveLine[]
  readonly runnerId: LogEntry['runnerId']
  readonly now: Instant
}

export async function searchLogs(parts: LogParts, query: LogQuery): Promise<LogPage> {
  const titles = createTitles(parts.store)
  const isMeant: StepFilter = async (entry) =>
    query.step === null || isOfStep(entry, query.step) || titles.isCalled(entry, query.step)
  const looked = { ...parts, isMeant }
  const found =
    query.after === null ? await backwards(looked, query) : await onwards(looked, query, query.after)
  const printing = query.before === null ? await entriesUnderWay(looked, query) : []
  const told = (entries: readonly FoundEntry[]) => titles.on(entries, query.includeCore === true)
  return {
    ...found,
    entries: await told(found.entries),
    printing: await told(printing),
    now: parts.now,
  }
}

type StepFilter = (entry: FoundEntry) => Promise<boolean>

/** With who says whether an entry is about the step that is asked for. */
interface LookParts extends LogParts {
  readonly isMeant: StepFilter
}

type Found = Omit<LogPage, 'entries' | 'printing' | 'now'> & { readonly entries: readonly FoundEntry[] }

async function backwards(parts: LookParts, query: LogQuery): Promise<Found> {
  const { store } = parts
  const { before, since: notBefore, until, limit: wanted, runId } = query
  const ends = placesFor(store, query, await historyEnds(store))
  const tellOf = async (events: readonly EngineEvent[]): Promise<readonly FoundEntry[] | null> => {
    const entries = await fitting(events)
    return entries.length === 0 ? null : entries
  }
  const fitting = entryTeller(parts, query)
  const from =
    before !== null
      ? placesOf(store, before)
      : until === null
        ? ends
        : await placesBefore(store, until + lateEndMs)
  const { found, next, since } = await lookBack(store, {
    from: placesFor(store, query, from),
    sizeOf: ({ length }) => length,
    ...{ wanted, tellOf, notBefore, runId },
  })
  return {
    entries: found.flatMap((one) => one.found.toReversed()).toSorted(newestFirst),
    next: next === null ? null : cursorText(next),
    since,
    cursor: cursorText(ends),
    more: false,
  }
}

async function onwards(parts: LookParts, query: LogQuery, after: string): Promise<Found> {
  const { store } = parts
  const from = placesFor(store, query, placesOf(store, after))
  const { events, places, more } = await lookOn(store, from, query.runId)
  const entries = await entryTeller(parts, query)(events)
  const cursor = cursorText(places)
  return { entries: entries.toReversed().toSorted(newestFirst), next: null, since: null, cursor, more }
}

/** Of one run only its own partition is read. */
function placesFor(
  { info }: Pick<Store, 'info'>,
  { runId }: LogQuery,
  places: readonly PartitionCursor[],
): readonly PartitionCursor[] {
  if (runId === null) return places
  const home = partitionOfRun(info, runId)
  return places.filter(({ partition }) => partition === home)
}

/** What events say, as far as it is looked for; logs are read only where they may have it. */
function entryTeller(
  { payloads, isMeant }: LookParts,
  query: LogQuery,
): (events: readonly EngineEvent[]) => Promise<readonly FoundEntry[]> {
  const fits = entryFilter(query)
  const isNear = entryFilter({
    ...query,
    text: null,
    level: 'debug',
    source: 'all',
    since: null,
    until: null,
  })
  const reader = createLogReader(payloads)
  return async (events) => {
    const entries: FoundEntry[] = []
    for (const event of events) {
      const said = entryOfEvent(event)
      const isTold = query.source !== 'lines' && fits(said)
      const isRead = query.source !== 'events' && isNear(said)
      if (!(isTold || isRead) || !(await isMeant(said))) continue
      if (isTold) entries.push(said)
      if (isRead) entries.push(...(await entriesOfLog(event, reader)).filter(fits))
    }
    return entries
  }
}

async function entriesUnderWay(
  { printing, runnerId, isMeant }: LookParts,
  query: LogQuery,
): Promise<readonly FoundEntry[]> {
  const counts = new Map<string, number>()
  const entries = printing.map(({ runId, invocationId, line }): FoundEntry => {
    const index = counts.get(invocationId) ?? 0
    counts.set(invocationId, index + 1)
    const place = { runId, invocationId, nodeId: nodeIdOf(invocationId), runnerId }
    return { id: `${invocationId}:${index}`, ...line, ...place, seq: null }
  })
  const fitting = entries.filter(entryFilter(query))
  const meant = await Promise.all(fitting.map(isMeant))
  return fitting
    .filter((_, index) => meant[index])
    .toReversed()
    .toSorted(newestFirst)
    .slice(0, printingMax)
}

const newestFirst = (a: FoundEntry, b: FoundEntry): number => b.at - a.at
