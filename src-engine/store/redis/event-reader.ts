/** Groups of the stream back to events: in order, from any place, of one run or of all. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { unpackEvents } from '../../model/event-codec.ts'
import type { RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import type { PackedGroup } from '../../model/packed-group.ts'
import { readGroup } from '../../model/packed-group.ts'
import { chainGroup } from '../event-chain.ts'
import type { GroupPage, GroupQuery } from '../group-page.ts'
import { GroupGathering } from '../group-page.ts'
import type { EventQuery } from '../store.ts'
import type { PartitionReader } from './partition-reader.ts'

/** Names and values of the fields in the order in which the script writes them. */
type StreamEntry = readonly [id: string, fields: readonly string[]]

type Place = Pick<PartitionCursor, 'epoch' | 'seq'>

/** How much further back each look is than the one before it. */
const nearMax = 8

/** Groups of a page: each holds one event at least. */
const pageMax = 256

export async function readEvents(
  reader: PartitionReader,
  query: EventQuery,
  newestEpoch: number,
): Promise<readonly EngineEvent[]> {
  const { after, runId: of, until, limit } = query
  const found: EngineEvent[] = []
  const end = until === null ? null : { epoch: newestEpoch, seq: until }
  await readEntries(reader, { after, runId: of, end }, (entry) => {
    if (entry !== null) {
      for (const event of eventsOf(entry, reader.keys.partition))
        if (isWanted(event, query, newestEpoch)) found.push(event)
    }
    return limit - found.length
  })
  return found.slice(0, limit)
}

/** The groups as they were written: nothing of them is unpacked, and nothing hashed. */
export async function readGroups(reader: PartitionReader, query: GroupQuery): Promise<GroupPage> {
  const page = new GroupGathering(query)
  await readEntries(reader, { ...query, end: null }, (entry) => {
    if (entry !== null) page.add(groupOf(entry, reader.keys.partition))
    return page.room
  })
  // Where the feed ends nobody has asked: that would be a question more for every look.
  return page.page(null)
}

interface Stretch {
  readonly after: PartitionCursor
  readonly runId: RunId | null
  /** Nothing behind it is part of the answer; null for the newest. */
  readonly end: Place | null
}

/**
 * Hands entry after entry on, and asks for no more of them than events are wanted: `take` tells how many are, before the
 * first (null) and after each.
 */
async function readEntries(
  reader: PartitionReader,
  { after, runId: of, end }: Stretch,
  take: (entry: StreamEntry | null) => number,
): Promise<void> {
  let from: Place = after
  let wanted = take(null)
  while (wanted > 0) {
    const count = Math.min(wanted + 1, pageMax)
    const entries =
      of === null
        ? await entriesAfter(reader, from, count)
        : await entriesOfRun(reader, of, { after: from, count })
    for (const entry of entries) {
      if (wanted <= 0) return
      wanted = take(entry)
      from = placeOf(entry[0])
    }
    if (entries.length < count) return
    if (end !== null && !isAfter(end, from)) return
  }
}

/** A group is kept under its last event: the first that can hold a later one is the next. */
async function entriesAfter(
  reader: PartitionReader,
  { epoch, seq }: Place,
  count: number,
): Promise<readonly StreamEntry[]> {
  const start = `${epoch}-${seq + 1}`
  return (await reader.ask([
    'XRANGE',
    reader.keys.of('events'),
    start,
    '+',
    'COUNT',
    count,
  ])) as readonly StreamEntry[]
}

async function entriesOfRun(
  reader: PartitionReader,
  id: RunId,
  { after, count }: { readonly after: Place; readonly count: number },
): Promise<readonly StreamEntry[]> {
  const { keys } = reader
  const first = await firstGroupAfter(reader, keys.groups(id), after)
  const groups = await reader.texts(['LRANGE', keys.groups(id), first, first + count - 1])
  const pages = await Promise.all(
    groups.map(async (group) => {
      const entryId = group?.split(' ')[0] ?? ''
      return (await reader.ask(['XRANGE', keys.of('events'), entryId, entryId])) as readonly StreamEntry[]
    }),
  )
  return pages.flat()
}

/** The index of the first group of a run's list with an event after the place: the list is in order. */
async function firstGroupAfter(reader: PartitionReader, key: string, after: Place): Promise<number> {
  if (after.epoch === 0) return 0
  let low = 0
  let high = Number(await reader.ask(['LLEN', key]))
  // Who follows a run wants what is new: it is looked for from the end, further back each time.
  for (let back = nearMax; back < high; back *= nearMax) {
    const group = await reader.text(['LINDEX', key, high - back])
    if (group === null || isAfter(placeOf(group), after)) continue
    low = high - back + 1
    break
  }
  while (low < high) {
    const middle = (low + high) >> 1
    const group = await reader.text(['LINDEX', key, middle])
    if (group !== null && isAfter(placeOf(group), after)) high = middle
    else low = middle + 1
  }
  return low
}

function placeOf(group: string): Place {
  const [epoch, seq] = (group.split(' ')[0] ?? '').split('-')
  return { epoch: Number(epoch), seq: Number(seq) }
}

const isAfter = ({ epoch, seq }: Place, after: Place): boolean =>
  epoch > after.epoch || (epoch === after.epoch && seq > after.seq)

function isWanted(event: EngineEvent, { after, until }: EventQuery, newestEpoch: number): boolean {
  return isAfter(event, after) && (until === null || event.epoch < newestEpoch || event.seq <= until)
}

const runOf = (run: string | undefined): RunId | null => (run === undefined || run === '' ? null : runId(run))

function groupOf([id, [, run, , events, , , , text = '']]: StreamEntry, partition: number): PackedGroup {
  const { epoch, seq } = placeOf(id)
  const count = Number(events)
  return readGroup({
    ...{ partition, epoch, seq: seq - count + 1, count },
    ...{ runId: runOf(run), text, only: null },
  })
}

function eventsOf(
  [id, [, run, , , , prevHash = '', , text = '']]: StreamEntry,
  partition: number,
): readonly EngineEvent[] {
  const { epoch, seq } = placeOf(id)
  const { group, drafts } = unpackEvents(text, {
    epoch,
    runId: runOf(run),
  })
  const head = { partition, epoch, seq: seq - drafts.length, hash: prevHash }
  return chainGroup(head, { group, drafts, chain: 'sha256-sha1' })
}
