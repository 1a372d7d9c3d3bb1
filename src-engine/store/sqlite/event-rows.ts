/**
 * Events as rows: one per run and checkpoint. What the events of a row share is kept once; hashes between
 * the first and the last are computed again when they are read.
 */

import { firstPrevHash } from '../../model/event.ts'
import type { EngineEvent, EventDraft } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import type { Actor } from '../../model/invocation-status.ts'
import { assert } from '../../model/result.ts'
import { chainEvents, hashEvent } from '../event-chain.ts'
import type { EventOrigin } from '../event-chain.ts'
import type { EventQuery } from '../store.ts'
import type { Database } from './connection.ts'

/** Where the feed ends; `position` counts over all epochs. */
export interface FeedEnd {
  readonly epoch: number
  readonly startPosition: number
  readonly position: number
  readonly hash: string
}

interface EventRow {
  readonly position: number
  readonly run_id: string | null
  readonly at: number
  readonly op_id: string
  readonly actor: string
  readonly prev_hash: Buffer
  readonly hash: Buffer
  readonly body: string
}

/** `[invocationId, cause, body, runVersion?]` of one event; a 0 stands for the same as in the one before. */
type Stored = readonly [EventDraft['invocationId'] | 0, EventDraft['cause'] | 0, EventDraft['body'], number?]

export interface EventRows {
  /** Reads the end of the feed from the data. */
  readonly loadEnd: () => FeedEnd
  /** Writes the drafts; gives the events and the new end. */
  readonly append: (
    end: FeedEnd,
    origin: EventOrigin,
    drafts: readonly EventDraft[],
  ) => { readonly events: readonly EngineEvent[]; readonly end: FeedEnd }
  readonly read: (query: EventQuery) => readonly EngineEvent[]
  /** The events of the row at a position. */
  readonly rowAt: (position: number) => readonly EngineEvent[]
}

const partition = 0
const columns = `e.position, r.id as run_id, e.at, e.op_id, e.actor, e.prev_hash, e.hash, e.body
  from event_row e
  left join run r on r.key = e.run_key`

/** A query's rows hold at least one event each, so a page needs no more rows than events. */
export function createEventRows(database: Database, runKeyOf: (id: RunId) => number | null): EventRows {
  const lastEpoch = database.prepare<[], { epoch: number; start_position: number }>(
    'select epoch, start_position from epoch order by epoch desc limit 1',
  )
  const epochs = database.prepare<[], { epoch: number; start_position: number }>(
    'select epoch, start_position from epoch order by epoch',
  )
  const lastRow = database.prepare<[], { position: number; count: number; hash: Buffer }>(
    'select position, count, hash from event_row order by position desc limit 1',
  )
  const insert = database.prepare(
    `insert into event_row (position, count, run_key, at, op_id, actor, prev_hash, hash, body)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const rowBefore = database
    .prepare<[number], number>('select max(position) from event_row where position <= ?')
    .pluck()
  const readAll = database.prepare<[number, number], EventRow>(
    `select ${columns} where e.position >= ? order by e.position limit ?`,
  )
  const readRun = database.prepare<[number, number, number], EventRow>(
    `select ${columns} where e.run_key = ? and e.position >= ? order by e.position limit ?`,
  )
  const readOne = database.prepare<[number], EventRow>(`select ${columns} where e.position = ?`)

  const appendRow = (end: FeedEnd, origin: EventOrigin, part: readonly EventDraft[]) => {
    const actor = JSON.stringify(origin.actor)
    const row = chainRow(end, { ...origin, actorText: actor }, part)
    const runId = part[0]?.runId ?? null
    insert.run(
      end.position + 1,
      part.length,
      runId === null ? null : runKeyOf(runId),
      origin.at,
      origin.opId,
      actor,
      Buffer.from(end.hash, 'hex'),
      Buffer.from(row.hash, 'hex'),
      row.body,
    )
    const next: FeedEnd = { ...end, position: end.position + part.length, hash: row.hash }
    return { events: row.events, end: next }
  }
  const toEvents = (row: EventRow): readonly EngineEvent[] => {
    const starts = epochs.all()
    const began = starts.findLast(({ start_position }) => row.position > start_position)
    return eventsOfRow(row, began ?? { epoch: 1, start_position: 0 })
  }
  return {
    loadEnd() {
      const epoch = lastEpoch.get() ?? { epoch: 1, start_position: 0 }
      const row = lastRow.get()
      return {
        epoch: epoch.epoch,
        startPosition: epoch.start_position,
        position: row === undefined ? 0 : row.position + row.count - 1,
        hash: row === undefined ? firstPrevHash : row.hash.toString('hex'),
      }
    },
    append(end, origin, drafts) {
      if (drafts.every(({ runId }) => runId === drafts[0]?.runId)) {
        return drafts.length === 0 ? { events: [], end } : appendRow(end, origin, drafts)
      }
      const events: EngineEvent[] = []
      let current = end
      for (const part of partsByRun(drafts)) {
        const appended = appendRow(current, origin, part)
        events.push(...appended.events)
        current = appended.end
      }
      return { events, end: current }
    },
    read(query) {
      const { after, runId, until, limit } = query
      const starts = epochs.all()
      const began = starts.find(({ epoch }) => epoch === after.epoch)
      const next = starts.find(({ epoch }) => epoch > after.epoch)
      const from =
        began === undefined
          ? (next?.start_position ?? Number.MAX_SAFE_INTEGER - 1)
          : began.start_position + after.seq
      const first = rowBefore.get(from + 1) ?? 0
      const runKey = runId === null ? null : runKeyOf(runId)
      if (runId !== null && runKey === null) return []
      const rows = runKey === null ? readAll.all(first, limit + 1) : readRun.all(runKey, first, limit + 1)
      const newest = starts.at(-1)?.epoch ?? 1
      const events: EngineEvent[] = []
      for (const event of rows.flatMap(toEvents)) {
        const isAfter = event.epoch > after.epoch || (event.epoch === after.epoch && event.seq > after.seq)
        const isBefore = until === null || event.epoch < newest || event.seq <= until
        if (isAfter && isBefore && events.length < limit) events.push(event)
      }
      return events
    },
    rowAt(position) {
      const row = readOne.get(position)
      return row === undefined ? [] : toEvents(row)
    },
  }
}

/** Runs of drafts that tell of the same run, in order. */
function partsByRun(drafts: readonly EventDraft[]): readonly (readonly EventDraft[])[] {
  const parts: EventDraft[][] = []
  for (const draft of drafts) {
    const part = parts.at(-1)
    if (part?.[0]?.runId === draft.runId) part.push(draft)
    else parts.push([draft])
  }
  return parts
}

/**
 * The same chain as `chainEvents` makes, with each body turned into text once: for the hash and for the row.
 * The text must be exactly `eventText`'s; every test of a store verifies it.
 */
function chainRow(
  end: FeedEnd,
  origin: EventOrigin & { readonly actorText: string },
  drafts: readonly EventDraft[],
): { readonly events: readonly EngineEvent[]; readonly hash: string; readonly body: string } {
  const { epoch } = end
  const { at, opId, actor } = origin
  const head = `{"partition":${partition},"epoch":${epoch},"seq":`
  const shared = `,"at":${at},"opId":${JSON.stringify(opId)},"actor":${origin.actorText},"runId":`
  const runText = shared + JSON.stringify(drafts[0]?.runId ?? null)
  const events: EngineEvent[] = []
  let seq = end.position - end.startPosition
  const first = seq + 1
  let prevHash = end.hash
  let body = '['
  let before = { id: '', cause: '' }
  for (const draft of drafts) {
    seq += 1
    const idText = draft.invocationId === null ? 'null' : JSON.stringify(draft.invocationId)
    const causeText = JSON.stringify(draft.cause)
    const bodyText = JSON.stringify(draft.body)
    const version = draft.runVersion === undefined ? '' : `"runVersion":${draft.runVersion},`
    const text = `${head}${seq}${runText},"invocationId":${idText},"cause":${causeText},${version}"body":${bodyText}}`
    const hash = hashEvent(prevHash, text)
    events.push({ partition, epoch, seq, at, opId, actor, ...draft, prevHash, hash })
    const last = draft.runVersion === undefined ? '' : `,${draft.runVersion}`
    const storedId = idText === before.id ? '0' : idText
    const storedCause = causeText === before.cause ? '0' : causeText
    body += `${seq === first ? '' : ','}[${storedId},${storedCause},${bodyText}${last}]`
    before = { id: idText, cause: causeText }
    prevHash = hash
  }
  return { events, hash: prevHash, body: `${body}]` }
}

function eventsOfRow(
  row: EventRow,
  began: { readonly epoch: number; readonly start_position: number },
): readonly EngineEvent[] {
  // Both texts were written by `chainRow`.
  const stored = JSON.parse(row.body) as readonly Stored[]
  const actor = JSON.parse(row.actor) as Actor
  let id: EventDraft['invocationId'] = null
  let cause: EventDraft['cause'] | null = null
  const drafts = stored.map(([storedId, storedCause, body, runVersion]): EventDraft => {
    if (storedId !== 0) id = storedId
    if (storedCause !== 0) cause = storedCause
    assert(cause !== null, 'the first event of a row names its cause')
    const draft = { runId: row.run_id as RunId | null, invocationId: id, cause, body }
    return runVersion === undefined ? draft : { ...draft, runVersion }
  })
  const seq = row.position - began.start_position - 1
  const head = { partition, epoch: began.epoch, seq, hash: row.prev_hash.toString('hex') }
  const origin = { opId: row.op_id as EngineEvent['opId'], actor, at: row.at }
  const events = chainEvents(head, origin, drafts)
  const last = events.at(-1)
  const hash = row.hash.toString('hex')
  // A row that was changed keeps its written hash, so that checking the chain finds it.
  return last === undefined || last.hash === hash ? events : [...events.slice(0, -1), { ...last, hash }]
}
