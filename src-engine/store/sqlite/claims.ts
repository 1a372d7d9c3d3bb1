/** What waits, what is owned and what is due: each answered from the partial index made for it. */

import type { DefinitionHash, RunId } from '../../model/ids.ts'
import { invocationId, runId, runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import {
  blockedMax,
  claimInOrder,
  claimInvocation,
  compareForRunner,
  stillClaimable,
  trusts,
} from '../claim.ts'
import { compareDue, dueAnswer } from '../due.ts'
import type { ClaimAnswer, ClaimRequest, DueAnswer, DueItem, FetchRequest, Store } from '../store.ts'
import type { Database } from './connection.ts'
import type { FoundWork } from './heads.ts'
import type { Names } from './names.ts'
import type { RunRow } from './rows.ts'
import { decodeRun, runColumns } from './rows.ts'
import type { Writer } from './writer.ts'

export interface Claims {
  /** Inside the transaction of the group commit. */
  readonly claim: (request: ClaimRequest) => ClaimAnswer
  readonly fetch: (request: FetchRequest) => readonly InvocationRecord[]
  readonly listExpired: (query: Parameters<Store['listExpired']>[0]) => readonly InvocationRecord[]
  readonly listDue: (query: Parameters<Store['listDue']>[0]) => DueAnswer
}

/** The most urgent of one priority that a runner may have, by index and by whom it is kept for last. */
const candidates = (index: string, avoid: string): string => `select i.id, i.run_key
    from work i indexed by ${index}
    cross join run r on r.key = i.run_key
    where i.queue = 1 and i.rank = +@rank and i.available_at <= @now and ${avoid}
      and i.task_kind in (select value from json_each(@kinds))
      and case when i.route is null then i.pool in (select value from json_each(@pools)) else
        exists (select 1 from json_each(i.route, '$.pools')
          where value in (select value from json_each(@pools)))
        and not exists (select 1 from json_each(i.route, '$.labels')
          where value not in (select value from json_each(@labels)))
        and not exists (select 1 from json_each(i.route, '$.requires')
          where value not in (select value from json_each(@kinds)))
        and (@tags is null or not exists (select 1 from json_each(i.route, '$.tags')
          where value not in (select value from json_each(@tags))))
        and coalesce(i.route ->> 'preferredRunner' = +@runner or i.route ->> 'preferredUntil' <= @now,
          i.route ->> 'preferredRunner' is null or i.route ->> 'preferredUntil' is null)
      end
      and r.phase = 2
    order by i.available_at, i.id
    limit +@limit`

/** Exported for the test that keeps their query plans. */
export const claimQueries = {
  claim: candidates('work_claim', '(i.avoid is null or i.avoid <> @runner)'),
  /** What the runner was the last to fail with: after all else. */
  avoided: candidates('work_avoid', 'i.avoid = +@runner and i.available_at <= @left'),
  expired: `select id, run_key from work indexed by work_owned
    where queue = 2 and (lease_expires_at <= ? or owner in (select value from json_each(?)))
    order by lease_expires_at, id
    limit +?`,
  wake: `select r.id as run_id, i.id, i.available_at as due_at
    from work i indexed by work_wake
    cross join run r on r.key = i.run_key
    where i.queue = 3 and i.available_at is not null and i.available_at <= ?
    order by i.available_at, i.id
    limit +?`,
  parkedWake: `select r.id as run_id, i.id, i.available_at as due_at
    from work i indexed by work_parked_due
    cross join run r on r.key = i.run_key
    where i.queue = 5 and i.available_at is not null and i.available_at <= ?
    order by i.available_at, i.id
    limit +?`,
  lineEnd: `select r.id as run_id, i.id, i.deadline_at as due_at
    from work i indexed by work_line_end
    cross join run r on r.key = i.run_key
    where i.queue = 4 and i.deadline_at is not null and i.deadline_at <= ?
    order by i.deadline_at, i.id
    limit +?`,
  runDeadline: `select id as run_id, id, deadline_at as due_at
    from run indexed by run_deadline
    where phase > 0 and deadline_at is not null and deadline_at <= ?
    order by deadline_at, id
    limit +?`,
  nextAvailable: `select min(available_at) from work indexed by work_claim
    where queue = 1 and rank = +? and available_at > ?`,
  nextHeadStart: `select min(route ->> 'preferredUntil') from work indexed by work_preferred
    where queue = 1 and route is not null and route ->> 'preferredUntil' > ?`,
  nextWake: `select min(available_at) from work indexed by work_wake
    where queue = 3 and available_at is not null and available_at > ?`,
  nextParkedWake: `select min(available_at) from work indexed by work_parked_due
    where queue = 5 and available_at is not null and available_at > ?`,
  nextLineEnd: `select min(deadline_at) from work indexed by work_line_end
    where queue = 4 and deadline_at is not null and deadline_at > ?`,
  nextRunDeadline: `select min(deadline_at) from run indexed by run_deadline
    where phase > 0 and deadline_at is not null and deadline_at > ?`,
} as const

/** How far a runner that doesn't trust every definition looks past work that it leaves to others. */
const distrustedMax = 2_000

const ranks = Object.values(priorityRank)

export function createClaims(database: Database, writer: Writer): Claims {
  const runById = database.prepare<[string], RunRow>(`select ${runColumns} from run where id = ?`)
  const expired = database.prepare<[number, string, number], FoundWork>(claimQueries.expired)
  const definitionOf = (id: RunId) => runOf(runById.get(id), id, writer.names).definitionHash
  const candidatesFor = prepareCandidates(database, writer, definitionOf)
  const orderedFor = (request: ClaimRequest): Iterable<InvocationRecord> =>
    request.invocationIds === null
      ? candidatesFor(request, 'claiming')
      : stillClaimable(request.invocationIds, request, (id) => {
          // The run first: it is kept, as it is about to be written.
          const run = writer.runStatus(runIdOf(id))
          const record = writer.invocation(id)
          if (record === null || run === null) return null
          if ((request.definitions ?? null) !== null && !trusts(request, definitionOf(record.runId)))
            return null
          return { record, run }
        })
  return {
    fetch(request) {
      const found: InvocationRecord[] = []
      if (request.limit <= 0) return found
      for (const record of candidatesFor(request, 'reading')) {
        found.push(record)
        if (found.length >= request.limit) break
      }
      return found
    },
    claim(request) {
      writer.settle()
      const runs = new Map<RunId, RunRecord>()
      const loaded = (id: RunId): RunRecord => {
        const run = runs.get(id) ?? writer.takeTold(id) ?? runOf(runById.get(id), id, writer.names)
        runs.set(id, run)
        return run
      }
      return claimInOrder(orderedFor(request), request, {
        holdersOf: (key) => writer.slotHolders({ key }),
        runOf: loaded,
        acquire(waiting, { plan, take }) {
          const won = { epoch: writer.epoch(), plan }
          const { record, event, opId } = claimInvocation(waiting, request, won)
          const actor = { kind: 'runner', id: request.runnerId } as const
          if (take.length > 0) writer.take(take, request.now)
          writer.update(record, { opId, actor, at: request.now }, [event])
          return { run: loaded(record.runId), invocation: record }
        },
      })
    },
    listExpired: ({ now, deadRunners, limit }) =>
      writer.found(expired.all(now, JSON.stringify(deadRunners), limit), 'reading'),
    listDue: prepareDue(database),
  }
}

interface CandidateParameters {
  readonly rank: number
  readonly now: number
  readonly left: number
  readonly kinds: string
  readonly pools: string
  readonly labels: string
  readonly tags: string | null
  readonly limit: number
  readonly runner: string
}

/**
 * What a runner may have, in order. Mostly the first page is all that is taken; a second one looks past what
 * permits hold up, and what the runner is to have last comes at the end.
 */
function prepareCandidates(database: Database, writer: Writer, definitionOf: (id: RunId) => DefinitionHash) {
  const preferred = database.prepare<CandidateParameters, FoundWork>(claimQueries.claim)
  const avoided = database.prepare<CandidateParameters, FoundWork>(claimQueries.avoided)
  return function* candidatesFor(
    request: FetchRequest,
    purpose: 'reading' | 'claiming',
  ): Generator<InvocationRecord> {
    const { now, runnerId, limit } = request
    const left = now - (request.leaveFailedMs ?? 0)
    const kinds = JSON.stringify(request.capabilities)
    const pools = JSON.stringify(request.pools)
    const labels = JSON.stringify(request.labels)
    const tags = (request.tags ?? []).length === 0 ? null : JSON.stringify(request.tags)
    // The most urgent of each priority; their order depends on how fast waiting ages.
    const page = (statement: typeof preferred, most: number): readonly InvocationRecord[] => {
      const found = ranks.flatMap((rank) =>
        statement.all({ rank, now, left, kinds, pools, labels, tags, limit: most, runner: runnerId }),
      )
      return writer
        .found(found, purpose)
        .toSorted((a, b) => compareForRunner(a, b, request))
        .slice(0, most)
    }
    if ((request.definitions ?? null) !== null) {
      const known = new Map<RunId, boolean>()
      const isTrusted = ({ runId: id }: InvocationRecord): boolean => {
        const trusted = known.get(id) ?? trusts(request, definitionOf(id))
        known.set(id, trusted)
        return trusted
      }
      yield* page(preferred, distrustedMax).filter(isTrusted)
      yield* page(avoided, distrustedMax).filter(isTrusted)
      return
    }
    const first = page(preferred, limit)
    yield* first
    const most = limit + blockedMax
    if (first.length === limit) {
      const seen = new Set(first.map(({ id }) => id))
      for (const record of page(preferred, most)) if (!seen.has(record.id)) yield record
    }
    yield* page(avoided, most)
  }
}

function runOf(row: RunRow | undefined, id: RunId, names: Names): RunRecord {
  assert(row !== undefined, `an invocation belongs to a run, ${id} is missing`)
  return decodeRun(row, names)
}

interface DueRow {
  readonly run_id: string
  readonly id: string
  readonly due_at: number
}

function prepareDue(database: Database): Claims['listDue'] {
  const dueRows = (sql: string) => database.prepare<[number, number], DueRow>(sql)
  const next = (sql: string) => database.prepare<number[], number | null>(sql).pluck()
  const wake = dueRows(claimQueries.wake)
  const parkedWake = dueRows(claimQueries.parkedWake)
  const lineEnd = dueRows(claimQueries.lineEnd)
  const runDeadline = dueRows(claimQueries.runDeadline)
  const nextAvailable = next(claimQueries.nextAvailable)
  const nextOthers = [
    claimQueries.nextHeadStart,
    claimQueries.nextWake,
    claimQueries.nextParkedWake,
    claimQueries.nextLineEnd,
    claimQueries.nextRunDeadline,
  ].map(next)
  const wakeOf = (row: DueRow): DueItem => {
    return { kind: 'wake', runId: runId(row.run_id), invocationId: invocationId(row.id), dueAt: row.due_at }
  }
  return ({ now, limit }) => {
    // One more than asked for tells whether some are left over.
    const items: readonly DueItem[] = [
      ...wake.all(now, limit + 1).map(wakeOf),
      ...parkedWake.all(now, limit + 1).map(wakeOf),
      ...lineEnd.all(now, limit + 1).map(wakeOf),
      ...runDeadline.all(now, limit + 1).map((row): DueItem => {
        return { kind: 'run-deadline', runId: runId(row.run_id), dueAt: row.due_at }
      }),
    ].sort(compareDue)
    const instants = [
      ...ranks.map((rank) => nextAvailable.get(rank, now)),
      ...nextOthers.map((statement) => statement.get(now)),
    ].filter((at) => typeof at === 'number')
    return dueAnswer(items, limit, instants.length === 0 ? null : Math.min(...instants))
  }
}
