/** Rows back to events: in order, from any place, of one run or of all. */

import type { EngineEvent, EventDraft } from '../../model/event.ts'
import { firstPrevHash } from '../../model/event.ts'
import type { PackedRecords } from '../../model/event-codec.ts'
import { readPacked, unpackEvents, unpackHead } from '../../model/event-codec.ts'
import type { OpId, RunId } from '../../model/ids.ts'
import { readGroup } from '../../model/packed-group.ts'
import { chainGroup } from '../event-chain.ts'
import type { GroupPage, GroupQuery } from '../group-page.ts'
import { GroupGathering } from '../group-page.ts'
import type { EventQuery } from '../store.ts'
import type { Database } from './connection.ts'
import type { FeedEnd } from './event-writer.ts'
import type { Names } from './names.ts'
import type { RecentGroups } from './recent-groups.ts'

interface EventRow {
  readonly position: number
  readonly run_id: RunId | null
  readonly prev: number | null
  readonly prev_hash: Buffer | null
  /** A stretch of removed events before it, which may be nearer. */
  readonly gap: number | null
  readonly gap_hash: Buffer | null
  readonly hash: Buffer
  readonly body: string
}

interface GroupRow {
  readonly position: number
  readonly count: number
  readonly run_id: RunId | null
  readonly body: string
}

interface BodyRow {
  readonly position: number
  readonly body: string
}

interface EpochRow {
  readonly epoch: number
  readonly start_position: number
}

export interface EventReader {
  readonly read: (query: EventQuery) => readonly EngineEvent[]
  /** Groups as they were written, up to the end of the feed as it is known. */
  readonly groups: (query: GroupQuery, end: FeedEnd) => GroupPage
  /** What all events of a run say, without their hashes. */
  readonly ofRun: (key: number, id: RunId) => readonly EventDraft[]
  /** The records that all events of a run lead to. */
  readonly recordsOf: (key: number, id: RunId) => PackedRecords
  /** The same of several runs at once, by their keys. */
  readonly recordsOfAll: (idByKey: ReadonlyMap<number, RunId>) => ReadonlyMap<number, PackedRecords>
  /** Another process wrote: what is kept of the epochs may be old. */
  readonly forget: () => void
  /** Whether a checkpoint with this op-id told of the run. */
  readonly runKnowsOp: (key: number, id: RunId, opId: OpId) => boolean
}

const partition = 0
const columns = `e.position, r.id as run_id, e.hash, e.body,
  (select position from event_row p where p.position < e.position order by p.position desc limit 1) as prev,
  (select hash from event_row p where p.position < e.position order by p.position desc limit 1) as prev_hash,
  (select position from pruned_event p where p.position < e.position order by p.position desc limit 1) as gap,
  (select hash from pruned_event p where p.position < e.position order by p.position desc limit 1) as gap_hash
  from event_row e
  left join run r on r.key = e.run_key`

export function createEventReader(database: Database, names: Names, recent: RecentGroups): EventReader {
  const allEpochs = database.prepare<[], EpochRow>('select epoch, start_position from epoch order by epoch')
  let knownEpochs: readonly EpochRow[] | null = null
  const epochs = (): readonly EpochRow[] => (knownEpochs ??= allEpochs.all())
  const bodies = database.prepare<[number], BodyRow>(
    'select position, body from event_row where run_key = +? order by position',
  )
  const bodiesOfAll = database.prepare<[string], BodyRow & { readonly run_key: number }>(
    `select e.run_key, e.position, e.body from json_each(?) k
     cross join event_row e on e.run_key = k.value
     order by k.key, e.position`,
  )
  return {
    read: prepareRead(database, epochs, names),
    groups: prepareGroups(database, { epochs, names, recent }),
    ofRun(key, runId) {
      const starts = epochs()
      return bodies.all(key).flatMap(({ position, body }) => {
        const { epoch } = epochOf(position, starts)
        return unpackEvents(names.lengthen(body), { epoch, runId }).drafts
      })
    },
    recordsOf(key, runId) {
      const starts = epochs()
      const records: PackedRecords = { run: null, invocations: new Map() }
      for (const { position, body } of bodies.iterate(key)) {
        readPacked(names.lengthen(body), { epoch: epochOf(position, starts).epoch, runId }, records)
      }
      return records
    },
    recordsOfAll(idByKey) {
      const starts = epochs()
      const recordsByKey = new Map<number, PackedRecords>()
      for (const { run_key: key, position, body } of bodiesOfAll.iterate(
        JSON.stringify([...idByKey.keys()]),
      )) {
        let records = recordsByKey.get(key)
        if (records === undefined) recordsByKey.set(key, (records = { run: null, invocations: new Map() }))
        readPacked(
          names.lengthen(body),
          { ...epochOf(position, starts), runId: idByKey.get(key) ?? null },
          records,
        )
      }
      return recordsByKey
    },
    forget() {
      knownEpochs = null
    },
    runKnowsOp: (key, runId, opId) =>
      bodies.all(key).some(({ body }) => unpackHead(names.lengthen(body), runId).opId === opId),
  }
}

/** A query's rows hold at least one event each, so a page needs no more rows than events. */
function prepareRead(
  database: Database,
  epochs: () => readonly EpochRow[],
  names: Names,
): EventReader['read'] {
  const rowBefore = database
    .prepare<[number], number>('select max(position) from event_row where position <= ?')
    .pluck()
  const readAll = database.prepare<[number, number], EventRow>(
    `select ${columns} where e.position >= ? and (e.run_key is null or r.key is not null) order by e.position limit +?`,
  )
  const readRun = database.prepare<[number, number, number], EventRow>(
    `select ${columns} where e.run_key = +? and e.position >= ? order by e.position limit +?`,
  )
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  return (query) => {
    const { after, runId, limit } = query
    const starts = epochs()
    // The row that the place lies in may hold later events too.
    const first = rowBefore.get(positionAfter(after, starts)) ?? 0
    const key = runId === null ? null : keyOf.get(runId)
    if (key === undefined) return []
    const rows = key === null ? readAll.iterate(first, limit + 1) : readRun.iterate(key, first, limit + 1)
    const found: EngineEvent[] = []
    // Most rows hold several events, and each costs its hash: no more rows are read than are needed.
    for (const row of rows) {
      for (const event of eventsOfRow(row, epochOf(row.position, starts), names)) {
        if (isWanted(event, query, starts.at(-1)?.epoch ?? 1)) found.push(event)
      }
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }
}

/** What a row has at least; events of removed runs are left out. */
const groupsOf = `select e.position, e.count, r.id as run_id, e.body from event_row e
  left join run r on r.key = e.run_key`

function prepareGroups(
  database: Database,
  parts: {
    readonly epochs: () => readonly EpochRow[]
    readonly names: Names
    readonly recent: RecentGroups
  },
): EventReader['groups'] {
  const { epochs, names, recent } = parts
  const rowBefore = database
    .prepare<[number], number>('select max(position) from event_row where position <= ?')
    .pluck()
  const all = database.prepare<[number, number], GroupRow>(
    `${groupsOf} where e.position >= ? and (e.run_key is null or r.key is not null) order by e.position limit +?`,
  )
  const ofRun = database.prepare<[string, number, number], GroupRow>(
    `${groupsOf} where e.run_key = +(select key from run where id = +?) and e.position >= ? order by e.position limit +?`,
  )
  return (query, end) => {
    const { after, runId, limit } = query
    const starts = epochs()
    const position = positionAfter(after, starts)
    const page = new GroupGathering(query)
    const newest = { partition, epoch: end.epoch, seq: end.position - end.startPosition }
    const known = recent.from(position, end.position)
    if (known !== null) {
      for (const { group } of known) if (!page.add(group)) break
      return page.page(newest)
    }
    // The row that the place lies in may hold later events too.
    const first = rowBefore.get(position) ?? 0
    const rows = runId === null ? all.iterate(first, limit + 1) : ofRun.iterate(runId, first, limit + 1)
    for (const { position: at, count, run_id, body } of rows) {
      const { epoch, start_position } = epochOf(at, starts)
      const place = { partition, epoch, seq: at - start_position, count, runId: run_id, only: null }
      if (!page.add(readGroup({ ...place, text: names.lengthen(body) }))) break
    }
    return page.page(newest)
  }
}

const epochOf = (position: number, starts: readonly EpochRow[]): EpochRow =>
  starts.findLast(({ start_position }) => position > start_position) ?? { epoch: 1, start_position: 0 }

/** The position of the first event that can come after a place. */
function positionAfter(after: EventQuery['after'], starts: readonly EpochRow[]): number {
  const own = starts.find(({ epoch }) => epoch === after.epoch)
  if (own !== undefined) return own.start_position + after.seq + 1
  const next = starts.find(({ epoch }) => epoch > after.epoch)
  return next === undefined ? Number.MAX_SAFE_INTEGER : next.start_position + 1
}

function isWanted(event: EngineEvent, { after, until }: EventQuery, newestEpoch: number): boolean {
  if (event.epoch < after.epoch || (event.epoch === after.epoch && event.seq <= after.seq)) return false
  return until === null || event.epoch < newestEpoch || event.seq <= until
}

const hashBefore = ({ prev, prev_hash, gap, gap_hash }: EventRow): string =>
  ((gap ?? 0) > (prev ?? 0) ? gap_hash : prev_hash)?.toString('hex') ?? firstPrevHash

function eventsOfRow(row: EventRow, began: EpochRow, names: Names): readonly EngineEvent[] {
  const { epoch } = began
  const { group, drafts } = unpackEvents(names.lengthen(row.body), { epoch, runId: row.run_id })
  const seq = row.position - began.start_position - 1
  const events = chainGroup({ partition, epoch, seq, hash: hashBefore(row) }, { group, drafts })
  const last = events.at(-1)
  // A row that was changed keeps its written hash, so that checking the chain finds it.
  const hash = row.hash.toString('hex')
  return last === undefined || last.hash === hash ? events : [...events.slice(0, -1), { ...last, hash }]
}
