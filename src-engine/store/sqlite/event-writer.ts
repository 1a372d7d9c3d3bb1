/**
 * Events as rows: one per run and checkpoint. What the events of a row share is kept once; hashes between
 * the first and the last are computed again when they are read.
 */

import { firstPrevHash } from '../../model/event.ts'
import type { EngineEvent, EventDraft } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import { hashEvent } from '../event-chain.ts'
import type { EventOrigin } from '../event-chain.ts'
import type { Database } from './connection.ts'

/** Where the feed ends; `position` counts over all epochs. */
export interface FeedEnd {
  readonly epoch: number
  readonly startPosition: number
  readonly position: number
  readonly hash: string
}

/** What an append gives: the events in their place, and the new end. */
interface Appended {
  readonly events: readonly EngineEvent[]
  readonly end: FeedEnd
}

export interface EventWriter {
  /** Reads the end of the feed from the data. */
  readonly loadEnd: () => FeedEnd
  readonly append: (end: FeedEnd, origin: EventOrigin, drafts: readonly EventDraft[]) => Appended
}

const partition = 0

export function createEventWriter(database: Database, runKeyOf: (id: RunId) => number | null): EventWriter {
  const insert = database.prepare(
    `insert into event_row (position, count, run_key, at, op_id, actor, prev_hash, hash, body)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const appendRow = (end: FeedEnd, origin: EventOrigin, part: readonly EventDraft[]): Appended => {
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
    return { events: row.events, end: { ...end, position: end.position + part.length, hash: row.hash } }
  }
  return {
    loadEnd: prepareLoadEnd(database),
    append(end, origin, drafts) {
      if (drafts.length === 0) return { events: [], end }
      if (drafts.every(({ runId }) => runId === drafts[0]?.runId)) return appendRow(end, origin, drafts)
      const events: EngineEvent[] = []
      let current = end
      for (const part of partsByRun(drafts)) {
        const appended = appendRow(current, origin, part)
        events.push(...appended.events)
        current = appended.end
      }
      return { events, end: current }
    },
  }
}

function prepareLoadEnd(database: Database): EventWriter['loadEnd'] {
  const lastEpoch = database.prepare<[], { epoch: number; start_position: number }>(
    'select epoch, start_position from epoch order by epoch desc limit 1',
  )
  const lastRow = database.prepare<[], { position: number; count: number; hash: Buffer }>(
    'select position, count, hash from event_row order by position desc limit 1',
  )
  return () => {
    const epoch = lastEpoch.get() ?? { epoch: 1, start_position: 0 }
    const row = lastRow.get()
    return {
      epoch: epoch.epoch,
      startPosition: epoch.start_position,
      position: row === undefined ? 0 : row.position + row.count - 1,
      hash: row === undefined ? firstPrevHash : row.hash.toString('hex'),
    }
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
