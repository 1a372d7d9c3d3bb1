/**
 * Removes finished runs in small transactions. Their events leave a stretch behind that holds the hash of its
 * last one, so that the chain can still be checked. A run first vanishes as a whole; its events go in slices,
 * and what a crash left of them goes with the next call.
 */

import type { RunId } from '../../model/ids.ts'
import { blobHashPattern, namedBy } from '../prunable.ts'
import type { PruneRequest } from '../store.ts'
import type { Database } from './connection.ts'
import type { Names } from './names.ts'
import { decodeRunText } from './rows.ts'
import { workPerRun } from './schema.ts'
import type { Writer } from './writer.ts'

/** A finished run that may go. */
export interface Prunable {
  readonly key: number
  readonly id: RunId
}

export interface Pruning {
  /** At most one more than the request's limit, oldest end first. */
  readonly candidates: (request: PruneRequest) => readonly Prunable[]
  /** One transaction's work; how many runs of the front of the list it removed, and whether that is all. */
  readonly slice: (runs: readonly Prunable[]) => { readonly runs: number; readonly done: boolean }
  /** Whether anything stored names a blob; looks through all of it. */
  readonly namedBlobs: () => ReadonlySet<string>
}

/** Rows that one transaction may remove. */
export const sliceRows = 30

interface CandidateRow extends Prunable {
  readonly ended_at: number
  readonly parent: RunId | null
}

export function createPruning(
  database: Database,
  { names, removed, settle }: Pick<Writer, 'names' | 'removed' | 'settle'>,
): Pruning {
  return {
    candidates: prepareCandidates(database, names),
    slice: prepareSlice(database, removed, settle),
    namedBlobs: prepareNamedBlobs(database),
  }
}

interface NamingRow {
  readonly id: RunId
  readonly parent_id: RunId | null
  /** Empty where only the body tells. */
  readonly origin_id: RunId | '' | null
  readonly body: string
}

/** Exported for the test that keeps their query plans: most open runs name no other one. */
export const pruneQueries = {
  naming: `select id, parent_id, origin_id, body from run indexed by run_naming
    where phase > 0 and (parent_id is not null or origin_id is not null)`,
  isOpen: 'select 1 from run where id = ? and phase > 0',
} as const

function prepareCandidates(database: Database, names: Names): Pruning['candidates'] {
  const cutoff = database.prepare<[number], { ended_at: number; key: number }>(
    `select ended_at, key from run indexed by run_ended where phase = 0
     order by ended_at desc, key desc limit 1 offset +?`,
  )
  const rows = database.prepare<[number, number, number], CandidateRow>(
    `select key, id, ended_at, parent_id as parent from run indexed by run_ended
     where phase = 0 and (ended_at < ? or (ended_at, key) <= (?, ?)) order by ended_at, key`,
  )
  const naming = database.prepare<[], NamingRow>(pruneQueries.naming)
  const isOpen = database.prepare<[string], number>(pruneQueries.isOpen).pluck()
  const letters = database.prepare<[], RunId>("select distinct body ->> 'runId' from dead_letter").pluck()
  return ({ endedBefore, keep, limit }) => {
    const beyond = keep === null ? undefined : cutoff.get(keep)
    const kept = new Set<RunId>(letters.all())
    for (const row of naming.iterate()) {
      const isKnown = row.origin_id !== ''
      const named = isKnown ? [row.parent_id, row.origin_id] : namedBy(decodeRunText(row, names))
      for (const id of named) if (id !== null) kept.add(id)
    }
    const found: Prunable[] = []
    for (const row of rows.iterate(endedBefore ?? -1, beyond?.ended_at ?? -1, beyond?.key ?? -1)) {
      if (found.length > limit) break
      const parentIsOpen = row.parent !== null && isOpen.get(row.parent) !== undefined
      if (!kept.has(row.id) && !parentIsOpen) found.push({ key: row.key, id: row.id })
    }
    return found
  }
}

function prepareSlice(
  database: Database,
  removed: (id: RunId) => void,
  settle: () => void,
): Pruning['slice'] {
  const isFinal = database.prepare('select 1 from run where key = ? and id = ? and phase = 0')
  const newest = database.prepare<[], number>('select max(key) from run').pluck()
  const deleteWork = database.prepare('delete from work where key between ? and ?')
  const deleteRun = database.prepare('delete from run where key = ?')
  const begin = database.prepare('insert into pruning (run_key) values (?)')
  const end = database.prepare('delete from pruning where run_key = ?')
  const begun = database.prepare<[], number>('select run_key from pruning').pluck()
  const tell = database.prepare(
    `insert into meta (name, value) values ('prunes', '1')
     on conflict (name) do update set value = cast(value + 1 as text)`,
  )
  const removeEvents = prepareRemoveEvents(database)
  return (runs) => {
    settle()
    let budget = sliceRows
    for (const key of begun.all()) {
      budget -= removeEvents(key, budget)
      if (budget <= 0) return { runs: 0, done: false }
      end.run(key)
    }
    for (const [index, { key, id }] of runs.entries()) {
      if (budget <= 0) return { runs: index, done: false }
      if (isFinal.get(key, id) === undefined) continue
      if (budget === sliceRows || index === 0) tell.run()
      // The key of the newest run is given out again once it is gone, so none of its rows may outlive it.
      const whole = newest.get() === key
      deleteWork.run(key * workPerRun, (key + 1) * workPerRun - 1)
      deleteRun.run(key)
      removed(id)
      begin.run(key)
      budget -= 1 + removeEvents(key, whole ? Number.MAX_SAFE_INTEGER : budget)
      if (budget > 0 || whole) end.run(key)
    }
    return { runs: runs.length, done: begun.get() === undefined }
  }
}

interface Stretch {
  readonly position: number
  readonly count: number
  readonly hash: Buffer
}

/** Removes up to so many event rows of a run, each joined to the stretch that it lies in; how many went. */
function prepareRemoveEvents(database: Database): (key: number, most: number) => number {
  const rows = database.prepare<[number, number], Stretch>(
    'select position, count, hash from event_row where run_key = +? order by position limit +?',
  )
  const remove = database.prepare('delete from event_row where position = ?')
  const before = database.prepare<[number], Stretch>(
    'select position, count, hash from pruned_event where position < ? order by position desc limit 1',
  )
  const at = database.prepare<[number], Stretch>(
    'select position, count, hash from pruned_event where position = ?',
  )
  const forget = database.prepare('delete from pruned_event where position = ?')
  const write = database.prepare(
    'insert or replace into pruned_event (position, count, hash) values (?, ?, ?)',
  )
  return (key, most) => {
    const gone = rows.all(key, most)
    for (const { position, count, hash } of gone) {
      remove.run(position)
      const previous = before.get(position)
      const next = at.get(position + count)
      const joins = previous !== undefined && previous.position + previous.count === position
      if (next !== undefined) forget.run(next.position)
      const from = joins ? previous.position : position
      const length = (joins ? previous.count : 0) + count + (next?.count ?? 0)
      write.run(from, length, next?.hash ?? hash)
    }
    return gone.length
  }
}

function prepareNamedBlobs(database: Database): Pruning['namedBlobs'] {
  const texts = [
    'select body from event_row where run_key is null or exists (select 1 from run where key = run_key)',
    'select body from run',
    'select body from dead_letter',
    'select body from outbox',
    'select value from register',
    'select document from workflow_version',
  ].map((sql) => database.prepare<[], string>(sql).pluck())
  return () => {
    const named = new Set<string>()
    for (const statement of texts) {
      for (const text of statement.iterate()) {
        for (const hash of text.match(blobHashPattern) ?? []) named.add(hash)
      }
    }
    return named
  }
}
