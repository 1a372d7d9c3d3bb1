/** Groups of the stream back to events: in order, from any place, of one run or of all. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { unpackEvents } from '../../model/event-codec.ts'
import type { RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import { chainGroup } from '../event-chain.ts'
import type { EventQuery } from '../store.ts'
import type { PartitionReader } from './partition-reader.ts'

/** Names and values of the fields in the order in which the script writes them. */
type StreamEntry = readonly [id: string, fields: readonly string[]]

/** Groups of a page: each holds one event at least. */
const pageMax = 256

export async function readEvents(
  reader: PartitionReader,
  query: EventQuery,
  newestEpoch: number,
): Promise<readonly EngineEvent[]> {
  const { after, limit } = query
  const found: EngineEvent[] = []
  let from: PartitionCursor = after
  while (found.length < limit) {
    const count = Math.min(limit - found.length + 1, pageMax)
    const entries =
      query.runId === null
        ? await entriesAfter(reader, from, count)
        : await entriesOfRun(reader, query.runId, { after: from, count })
    for (const entry of entries) {
      const events = eventsOf(entry, reader.keys.partition)
      for (const event of events) if (isWanted(event, query, newestEpoch)) found.push(event)
      const last = events.at(-1)
      if (last !== undefined) from = last
    }
    if (entries.length < count) break
    // What lies behind the last wanted one is none of the answer.
    if (query.until !== null && from.epoch >= newestEpoch && from.seq >= query.until) break
  }
  return found.slice(0, limit)
}

/** A group is kept under its last event: the first that can hold a later one is the next. */
async function entriesAfter(
  reader: PartitionReader,
  { epoch, seq }: PartitionCursor,
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
  { after, count }: { readonly after: PartitionCursor; readonly count: number },
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
async function firstGroupAfter(
  reader: PartitionReader,
  key: string,
  after: PartitionCursor,
): Promise<number> {
  if (after.epoch === 0) return 0
  let low = 0
  let high = Number(await reader.ask(['LLEN', key]))
  while (low < high) {
    const middle = (low + high) >> 1
    const group = await reader.text(['LINDEX', key, middle])
    if (group !== null && isAfter(placeOf(group), after)) high = middle
    else low = middle + 1
  }
  return low
}

function placeOf(group: string): Pick<PartitionCursor, 'epoch' | 'seq'> {
  const [epoch, seq] = (group.split(' ')[0] ?? '').split('-')
  return { epoch: Number(epoch), seq: Number(seq) }
}

const isAfter = (
  { epoch, seq }: Pick<PartitionCursor, 'epoch' | 'seq'>,
  after: Pick<PartitionCursor, 'epoch' | 'seq'>,
): boolean => epoch > after.epoch || (epoch === after.epoch && seq > after.seq)

function isWanted(event: EngineEvent, { after, until }: EventQuery, newestEpoch: number): boolean {
  return isAfter(event, after) && (until === null || event.epoch < newestEpoch || event.seq <= until)
}

function eventsOf(
  [id, [, run, , , , prevHash = '', , text = '']]: StreamEntry,
  partition: number,
): readonly EngineEvent[] {
  const { epoch, seq } = placeOf(id)
  const { group, drafts } = unpackEvents(text, {
    epoch,
    runId: run === undefined || run === '' ? null : runId(run),
  })
  const head = { partition, epoch, seq: seq - drafts.length, hash: prevHash }
  return chainGroup(head, { group, drafts, chain: 'sha256-sha1' })
}
