/** Rows back to events: in order, from any place, of one run or of all. */

import type { EngineEvent, EventDraft } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import type { Actor } from '../../model/invocation-status.ts'
import { assert } from '../../model/result.ts'
import { chainEvents } from '../event-chain.ts'
import type { EventQuery } from '../store.ts'
import type { Database } from './connection.ts'

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

interface EpochRow {
  readonly epoch: number
  readonly start_position: number
}

/** `[invocationId, cause, body, runVersion?]` of one event; a 0 stands for the same as in the one before. */
type Stored = readonly [EventDraft['invocationId'] | 0, EventDraft['cause'] | 0, EventDraft['body'], number?]

export interface EventReader {
  readonly read: (query: EventQuery) => readonly EngineEvent[]
  /** The events of the row at a position. */
  readonly rowAt: (position: number) => readonly EngineEvent[]
}

const partition = 0
const columns = `e.position, r.id as run_id, e.at, e.op_id, e.actor, e.prev_hash, e.hash, e.body
  from event_row e
  left join run r on r.key = e.run_key`

/** A query's rows hold at least one event each, so a page needs no more rows than events. */
export function createEventReader(database: Database, runKeyOf: (id: RunId) => number | null): EventReader {
  const epochs = database.prepare<[], EpochRow>('select epoch, start_position from epoch order by epoch')
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
  return {
    read(query) {
      const { after, runId, limit } = query
      const starts = epochs.all()
      // The row that the place lies in may hold later events too.
      const first = rowBefore.get(positionAfter(after, starts)) ?? 0
      const runKey = runId === null ? null : runKeyOf(runId)
      if (runId !== null && runKey === null) return []
      const rows = runKey === null ? readAll.all(first, limit + 1) : readRun.all(runKey, first, limit + 1)
      return rows
        .flatMap((row) => eventsOfRow(row, epochOf(row.position, starts)))
        .filter((event) => isWanted(event, query, starts.at(-1)?.epoch ?? 1))
        .slice(0, limit)
    },
    rowAt(position) {
      const row = readOne.get(position)
      return row === undefined ? [] : eventsOfRow(row, epochOf(position, epochs.all()))
    },
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
