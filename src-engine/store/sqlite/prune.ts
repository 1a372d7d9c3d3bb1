/**
 * Removes finished runs in small transactions. Their events leave a stretch behind that holds the hash of its
 * last one, so that the chain can still be checked. A run first vanishes as a whole; its events go in slices,
 * and what a crash left of them goes with the next call.
 */

import { startedBy } from '../../model/effect.ts'
import type { RunId } from '../../model/ids.ts'
import { blobHashPattern, namedBy } from '../prunable.ts'
import type { PruneRequest } from '../pruning.ts'
import type { Database } from './connection.ts'
import type { Names } from './names.ts'
import { createRowBatch, deleteRows } from './row-batch.ts'
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
  /** One transaction's work, about so many rows; how many runs of the front of the list it removed, and whether that is all. */
  readonly slice: (
    runs: readonly Prunable[],
    rows: number,
  ) => { readonly runs: number; readonly done: boolean }
  /** Whether anything stored names a blob; looks through all of it. */
  readonly namedBlobs: () => ReadonlySet<string>
}

/** Rows that one transaction may remove: beside the least of other work, and with none of it. */
export const sliceRows = { least: 10, alone: 30 } as const

/** The more there is in the transaction, the less a slice adds to it. */
export const rowsOfSlice = (others: number): number =>
  others === 0 ? sliceRows.alone : Math.min(sliceRows.alone, sliceRows.least + others)

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
  /** Effects that start runs and still wait. */
  starts: "select id from outbox where id glob 'start:*'",
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
  const starts = database.prepare<[], string>(pruneQueries.starts).pluck()
  const letters = database.prepare<[], RunId>("select distinct body ->> 'runId' from dead_letter").pluck()
  return ({ endedBefore, keep, limit }) => {
    const beyond = keep === null ? undefined : cutoff.get(keep)
    // Without its run, an effect that still waits would start it anew.
    const started = starts.all().flatMap((id) => startedBy(id) ?? [])
    const kept = new Set<RunId>([...letters.all(), ...started])
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
  const events = prepareRows(database)
  const remove = prepareRemoveRows(database)
  const removeRun = (key: number, id: RunId): void => {
    deleteWork.run(key * workPerRun, (key + 1) * workPerRun - 1)
    deleteRun.run(key)
    removed(id)
  }
  return (runs, rowsMax) => {
    settle()
    const gone: Stretch[] = []
    let budget = rowsMax
    /** Up to so many rows of a run; whether that may not be all. */
    const take = (key: number, most: number): boolean => {
      const rows = events.all(key, most)
      gone.push(...rows)
      budget -= rows.length
      return rows.length === most
    }
    for (const key of begun.all()) {
      if (take(key, budget)) {
        remove(gone)
        return { runs: 0, done: false }
      }
      end.run(key)
    }
    let newestKey = newest.get()
    let told = false
    let isPart = false
    let index = 0
    for (; index < runs.length && budget > 0; index += 1) {
      const { key, id } = runs[index] as Prunable
      if (isFinal.get(key, id) === undefined) continue
      if (!told) tell.run()
      told = true
      removeRun(key, id)
      budget -= 1
      // The key of the newest run is given out again once it is gone, so none of its rows may outlive it.
      if (key === newestKey) {
        take(key, everyRow)
        newestKey = newest.get()
      } else if (take(key, budget)) {
        begin.run(key)
        isPart = true
      }
    }
    remove(gone)
    return { runs: index, done: index === runs.length && !isPart }
  }
}

const everyRow = Number.MAX_SAFE_INTEGER

interface Stretch {
  readonly position: number
  readonly count: number
  readonly hash: Buffer
}

const prepareRows = (database: Database) =>
  database.prepare<[number, number], Stretch>(
    'select position, count, hash from event_row where run_key = +? order by position limit +?',
  )

/** Removes event rows, each joined to the stretch that it lies in: neighbours first among themselves. */
function prepareRemoveRows(database: Database): (gone: Stretch[]) => void {
  const rows = createRowBatch(database, deleteRows('event_row', 'position'))
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
  return (gone) => {
    gone.sort((a, b) => a.position - b.position)
    for (const { position } of gone) rows.add([position])
    rows.write()
    for (const { position, count, hash } of joined(gone)) {
      const previous = before.get(position)
      const next = at.get(position + count)
      const joins = previous !== undefined && previous.position + previous.count === position
      if (next !== undefined) forget.run(next.position)
      const from = joins ? previous.position : position
      const length = (joins ? previous.count : 0) + count + (next?.count ?? 0)
      write.run(from, length, next?.hash ?? hash)
    }
  }
}

/** Stretches in order, those that follow one another as one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = []
  for (const next of stretches) {
    const last = all.at(-1)
    if (last !== undefined && last.position + last.count === next.position) {
      all[all.length - 1] = { ...last, count: last.count + next.count, hash: next.hash }
    } else all.push(next)
  }
  return all
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
