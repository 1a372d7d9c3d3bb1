/** Lists of work that isn't done, and of permits with who holds and who awaits them. */

import type { InvocationId, RunnerId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { awaitedSignalOf } from '../blocked.ts'
import type { Page } from '../store.ts'
import type { Database } from './connection.ts'
import type { FoundWork } from './heads.ts'
import type { Listers, Loaders } from './query-shapes.ts'
import type { RunRow } from './rows.ts'
import { decodeRun, queueByStatus, runColumns } from './rows.ts'
import { queueOf, workPerRun } from './schema.ts'
import type { Writer } from './writer.ts'

interface Place {
  readonly id: string
  readonly registered_at: number
}

const beforeAll: Place = { id: '', registered_at: -1 }

type WorkRow = FoundWork & Place

type Records = Pick<Writer, 'found' | 'invocation' | 'names'>

/** Of one queue; services go through the available and the owned all day, and people through the parked, whatever else there is. */
export const workQueries = {
  available: `select id, run_key, registered_at from work indexed by work_listed
    where queue = 1 and (registered_at, id) > (?, ?)
    order by registered_at, id limit +?`,
  owned: `select id, run_key, registered_at from work indexed by work_owned
    where queue = 2 and (registered_at, id) > (?, ?)
    order by registered_at, id limit +?`,
  parked: `select id, run_key, registered_at from work indexed by work_parked
    where queue = 5 and (registered_at, id) > (?, ?)
    order by registered_at, id limit +?`,
} as const

/** Invocations of some statuses, in order of registration. */
export function prepareWork(database: Database, writer: Records): Listers['work'] {
  const available = database.prepare<[number, string, number], WorkRow>(workQueries.available)
  const owned = database.prepare<[number, string, number], WorkRow>(workQueries.owned)
  const parked = database.prepare<[number, string, number], WorkRow>(workQueries.parked)
  const others = database.prepare<[number, number, string, number], WorkRow>(
    `select id, run_key, registered_at from work
     where queue = +? and (registered_at, id) > (?, ?)
     order by registered_at, id limit +?`,
  )
  const rowsOf = (queue: number, place: Place, limit: number): readonly WorkRow[] => {
    const { registered_at: at, id } = place
    if (queue === queueOf.available) return available.all(at, id, limit)
    if (queue === queueOf.owned) return owned.all(at, id, limit)
    if (queue === queueOf.parked) return parked.all(at, id, limit)
    return others.all(queue, at, id, limit)
  }
  const pages = prepareWorkPages<readonly number[]>(database, writer, (queues, place, limit) =>
    queues
      .flatMap((queue) => rowsOf(queue, place, limit))
      .sort((a, b) => a.registered_at - b.registered_at || (a.id < b.id ? -1 : 1))
      .slice(0, limit),
  )
  return ({ statuses, pool }, page) => {
    const queues = [...new Set(statuses.map((status) => queueByStatus[status]))]
    return pages(queues, page, (record) => {
      return statuses.includes(record.status) && (pool === null || record.pool === pool)
    })
  }
}

/** Who waits for a signal. Of rows that were written before there was an index only the record tells. */
export function prepareSignalWaiters(database: Database, writer: Records): Listers['signalWaiters'] {
  const rows = database.prepare<[string, number, string, number], WorkRow>(lineQueries.signals)
  const pages = prepareWorkPages<string>(database, writer, (name, place, limit) =>
    rows.all(name, place.registered_at, place.id, limit),
  )
  return ({ name }, page) => pages(name, page, (record) => awaitedSignalOf(record) === name)
}

/** Pages of rows in order of registration, each asked for by the place before it and its limit. */
function prepareWorkPages<Asked>(
  database: Database,
  writer: Records,
  rowsAfter: (asked: Asked, place: Place, limit: number) => readonly WorkRow[],
): (asked: Asked, page: Page, fits: (record: InvocationRecord) => boolean) => readonly InvocationRecord[] {
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  const placeAt = database.prepare<[number, number, string], Place>(
    'select id, registered_at from work where key between ? and ? and id = ?',
  )
  // One that is no work any more still has its place in the order.
  const placeOf = (id: InvocationId): Place | null => {
    const key = keyOf.get(runIdOf(id)) ?? 0
    const row = placeAt.get(key * workPerRun, (key + 1) * workPerRun - 1, id)
    if (row !== undefined) return row
    const record = writer.invocation(id)
    return record === null ? null : { id, registered_at: record.registeredAt }
  }
  return (asked, { after, limit }, fits) => {
    let last: Place | null = after === null ? null : placeOf(after as InvocationId)
    const found: InvocationRecord[] = []
    if (after !== null && last === null) return found
    for (;;) {
      const page = rowsAfter(asked, last ?? beforeAll, limit)
      for (const record of writer.found(page, 'reading')) {
        if (found.length < limit && fits(record)) found.push(record)
      }
      last = page.at(-1) ?? null
      if (last === null || found.length >= limit || page.length < limit) return found
    }
  }
}

/** Work by its owner and its pools. Partial indexes name the little that is owned; what waits is counted through. */
export function prepareWorkCounts(database: Database): Loaders['workCounts'] {
  const counts = (rows: string) =>
    database.prepare<[], CountRow>(
      `select owner, coalesce(json_extract(route, '$.pools'), json_array(pool)) as pools, count(*) as count
       from ${rows} group by 1, 2`,
    )
  const owned = counts('work indexed by work_owned where queue = 2')
  const waiting = counts(
    `(select owner, route, pool from work indexed by work_listed where queue = 1
      union all select owner, route, pool from work indexed by work_blocked where queue = 4)`,
  )
  return ({ what }) =>
    (what === 'owned' ? owned : waiting).all().map(({ owner, pools, count }) => {
      return { owner, pools: JSON.parse(pools) as readonly string[], count }
    })
}

interface CountRow {
  readonly owner: RunnerId | null
  readonly pools: string
  readonly count: number
}

/** In the order of `compareBlocked`, in the very words of the index: a line may be long, and its head is asked for. */
export const lineQueries = {
  signals: `select id, run_key, registered_at from work indexed by work_signal
    where queue = 3 and blocked_by in (?, '') and (registered_at, id) > (?, ?)
    order by registered_at, id limit +?`,
  runs: `select ${runColumns} from run indexed by run_line where blocked_by = +?
    order by line_rank, line_since, id
    limit +?`,
} as const

/** Who waits for a permit, in the order in which they are to get it. */
export function preparePermitWaiters(database: Database, writer: Records): Loaders['permitWaiters'] {
  const invocations = database.prepare<[string, number], FoundWork>(
    `select id, run_key from work indexed by work_blocked where queue = 4 and blocked_by = +?
     order by rank, available_at, id limit +?`,
  )
  const runs = database.prepare<[string, number], RunRow>(lineQueries.runs)
  return ({ key, limit }) => {
    return {
      invocations: writer.found(invocations.all(key, limit), 'reading'),
      runs: runs.all(key, limit).map((row) => decodeRun(row, writer.names)),
    }
  }
}

/** Keys by name, with holders and the number of those who wait. */
export function preparePermits(database: Database, writer: Pick<Writer, 'slotHolders'>): Listers['permits'] {
  const keys = database
    .prepare<{ prefix: string; after: string; limit: number }, string>(
      `select key from (
         select key from slot where key >= @prefix and key > @after
         union select blocked_by from work indexed by work_blocked
           where queue = 4 and blocked_by >= @prefix and blocked_by > @after
         union select blocked_by from run where blocked_by >= @prefix and blocked_by > @after
       ) order by key limit +@limit`,
    )
    .pluck()
  const waiting = database
    .prepare<[string, string], number>(
      `select (select count(*) from work indexed by work_blocked where queue = 4 and blocked_by = ?)
         + (select count(*) from run where blocked_by = ?)`,
    )
    .pluck()
  return ({ prefix }, { after, limit }) =>
    keys
      .all({ prefix, after: after ?? '', limit })
      .filter((key) => key.startsWith(prefix))
      .map((key) => ({ key, holders: writer.slotHolders({ key }), waiting: waiting.get(key, key) ?? 0 }))
}
