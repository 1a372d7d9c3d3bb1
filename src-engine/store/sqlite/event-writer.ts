/** Events as rows: one per run and checkpoint, packed and hashed as one text. */

import type { EventDraft } from '../../model/event.ts'
import { firstPrevHash } from '../../model/event.ts'
import { packEvents } from '../../model/event-codec.ts'
import type { RunId } from '../../model/ids.ts'
import type { Actor } from '../../model/invocation-status.ts'
import type { EventOrigin } from '../event-chain.ts'
import { hashGroup, partsByRun } from '../event-chain.ts'
import type { Database } from './connection.ts'
import type { KnownRun } from './known-runs.ts'
import type { Names } from './names.ts'
import type { NewRows } from './new-rows.ts'
import type { RecentGroups } from './recent-groups.ts'

/** Where the feed ends; `position` counts over all epochs. */
export interface FeedEnd {
  readonly epoch: number
  readonly startPosition: number
  readonly position: number
  readonly hash: string
}

export interface EventWriter {
  /** Reads the end of the feed from the data. */
  readonly loadEnd: () => FeedEnd
  /** Writes the events of a checkpoint; the new end. */
  readonly append: (end: FeedEnd, origin: EventOrigin, drafts: readonly EventDraft[]) => FeedEnd
}

const partition = 0

export function createEventWriter(
  database: Database,
  {
    names,
    rows,
    recent,
  }: { readonly names: Names; readonly rows: NewRows; readonly recent: Pick<RecentGroups, 'add'> },
  runOf: (id: RunId) => KnownRun | null,
): EventWriter {
  const appendRow = (end: FeedEnd, origin: EventOrigin, drafts: readonly EventDraft[]): FeedEnd => {
    const runId = drafts[0]?.runId ?? null
    const run = runId === null ? null : runOf(runId)
    const { epoch, startPosition, position } = end
    const { opId, actor, at } = origin
    const body = packEvents({ epoch, runId, at, opId, actor }, drafts)
    const head = { partition, epoch, seq: position - startPosition, hash: end.hash }
    const hash = hashGroup(head, runId, body)
    rows.event.add([
      position + 1,
      drafts.length,
      run?.key ?? null,
      run?.version ?? null,
      Buffer.from(hash, 'hex'),
      names.shorten(body, repeatedIn(drafts, actor)),
    ])
    const place = { partition, epoch, seq: head.seq + 1, count: drafts.length, runId, only: null }
    recent.add({ position: position + 1, group: { ...place, text: body } }, drafts)
    return { epoch, startPosition, position: position + drafts.length, hash }
  }
  return {
    loadEnd: prepareLoadEnd(database),
    append(end, origin, drafts) {
      let current = end
      for (const part of partsByRun(drafts)) current = appendRow(current, origin, part)
      return current
    },
  }
}

/** The texts of a body that very many other rows have too. */
function repeatedIn(drafts: readonly EventDraft[], { kind, id }: Actor): readonly string[] {
  // Other actors are persons, runs and triggers: what is kept as a name is kept for ever.
  const runner = kind === 'runner' && id !== null ? [id] : []
  const body = drafts[0]?.body
  if (body?.type !== 'run.created') return runner
  const { workflowId, workflowTitle, definitionHash } = body.run
  return [...runner, workflowId, workflowTitle, definitionHash]
}

function prepareLoadEnd(database: Database): EventWriter['loadEnd'] {
  const lastEpoch = database.prepare<[], { epoch: number; start_position: number }>(
    'select epoch, start_position from epoch order by epoch desc limit 1',
  )
  const lastRow = database.prepare<[], { position: number; count: number; hash: string }>(
    `select position, count, lower(hex(hash)) as hash from (
       select * from (select position, count, hash from event_row order by position desc limit 1)
       union all select * from (select position, count, hash from pruned_event order by position desc limit 1)
     ) order by position desc limit 1`,
  )
  return () => {
    const epoch = lastEpoch.get() ?? { epoch: 1, start_position: 0 }
    const row = lastRow.get()
    return {
      epoch: epoch.epoch,
      startPosition: epoch.start_position,
      position: row === undefined ? 0 : row.position + row.count - 1,
      hash: row?.hash ?? firstPrevHash,
    }
  }
}
