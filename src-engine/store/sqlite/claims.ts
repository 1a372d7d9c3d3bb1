/** What waits, what is owned and what is due: each answered from the partial index made for it. */

import type { InvocationId } from '../../model/ids.ts'
import { invocationId, runId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import { claimInvocation, compareUrgency } from '../claim.ts'
import { compareDue, dueAnswer } from '../due.ts'
import type { Claimed, ClaimRequest, DueAnswer, DueItem, Store } from '../store.ts'
import type { Database } from './connection.ts'
import type { RunRow } from './rows.ts'
import { decodeRun, runColumns } from './rows.ts'
import type { Writer } from './writer.ts'

export interface Claims {
  /** Inside the transaction of the group commit. */
  readonly claim: (request: ClaimRequest) => readonly Claimed[]
  readonly listExpired: (query: Parameters<Store['listExpired']>[0]) => readonly InvocationRecord[]
  readonly listDue: (query: Parameters<Store['listDue']>[0]) => DueAnswer
}

/** Exported for the test that keeps their query plans. */
export const claimQueries = {
  claim: `select i.id, i.run_key
    from work i indexed by work_claim
    cross join run r on r.key = i.run_key
    where i.queue = 1 and i.rank = ? and i.available_at <= ?
      and i.pool in (select value from json_each(?))
      and i.task_kind in (select value from json_each(?))
      and r.phase = 2
    order by i.available_at, i.id
    limit ?`,
  expired: `select id from work indexed by work_owned
    where queue = 2 and (lease_expires_at <= ? or owner in (select value from json_each(?)))
    order by lease_expires_at, id
    limit ?`,
  wake: `select r.id as run_id, i.id, i.available_at as due_at
    from work i indexed by work_wake
    cross join run r on r.key = i.run_key
    where i.queue = 3 and i.available_at is not null and i.available_at <= ?
    order by i.available_at, i.id
    limit ?`,
  deadline: `select r.id as run_id, i.id, i.deadline_at as due_at
    from work i indexed by work_owned
    cross join run r on r.key = i.run_key
    where i.queue = 2 and i.deadline_at <= ?
    order by i.deadline_at, i.id
    limit ?`,
  runDeadline: `select id as run_id, id, deadline_at as due_at
    from run indexed by run_deadline
    where phase > 0 and deadline_at is not null and deadline_at <= ?
    order by deadline_at, id
    limit ?`,
  nextAvailable: `select min(available_at) from work indexed by work_claim
    where queue = 1 and rank = ? and available_at > ?`,
  nextWake: `select min(available_at) from work indexed by work_wake
    where queue = 3 and available_at is not null and available_at > ?`,
  nextDeadline: `select min(deadline_at) from work indexed by work_owned
    where queue = 2 and deadline_at > ?`,
  nextRunDeadline: `select min(deadline_at) from run indexed by run_deadline
    where phase > 0 and deadline_at is not null and deadline_at > ?`,
} as const

const ranks = Object.values(priorityRank)

interface ClaimRow {
  readonly id: InvocationId
  readonly run_key: number
}

export function createClaims(database: Database, writer: Writer): Claims {
  const available = database.prepare<[number, number, string, string, number], ClaimRow>(claimQueries.claim)
  const runByKey = database.prepare<[number], RunRow>(`select ${runColumns} from run where key = ?`)
  const expired = database.prepare<[number, string, number], InvocationId>(claimQueries.expired).pluck()
  const recordOf = (id: InvocationId): InvocationRecord => {
    const record = writer.invocation(id)
    assert(record !== null, `the work ${id} is an invocation`)
    return record
  }
  return {
    claim(request) {
      if (request.limit <= 0) return []
      const pools = JSON.stringify(request.pools)
      const capabilities = JSON.stringify(request.capabilities)
      // The most urgent of each priority; their order depends on how fast waiting ages.
      const waiting = ranks
        .flatMap((rank) => available.all(rank, request.now, pools, capabilities, request.limit))
        .map((row) => ({ runKey: row.run_key, record: recordOf(row.id) }))
        .sort((a, b) => compareUrgency(a.record, b.record, request.agingMs))
        .slice(0, request.limit)
      const runs = new Map<number, RunRecord>()
      return waiting.map(({ runKey, record }) => {
        const claimed = claimInvocation(record, request, writer.epoch())
        const origin = {
          opId: claimed.opId,
          actor: { kind: 'runner', id: request.runnerId },
          at: request.now,
        } as const
        writer.update(claimed.record, origin, [claimed.event])
        return { run: runOf(runs, runKey, runByKey.get(runKey)), invocation: claimed.record }
      })
    },
    listExpired: ({ now, deadRunners, limit }) =>
      expired.all(now, JSON.stringify(deadRunners), limit).map(recordOf),
    listDue: prepareDue(database),
  }
}

function runOf(runs: Map<number, RunRecord>, key: number, row: RunRow | undefined): RunRecord {
  const known = runs.get(key)
  if (known !== undefined) return known
  if (row === undefined) throw new Error(`Broken invariant: the run ${key} of an invocation exists`)
  const run = decodeRun(row)
  runs.set(key, run)
  return run
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
  const deadline = dueRows(claimQueries.deadline)
  const runDeadline = dueRows(claimQueries.runDeadline)
  const nextAvailable = next(claimQueries.nextAvailable)
  const nextOthers = [claimQueries.nextWake, claimQueries.nextDeadline, claimQueries.nextRunDeadline].map(
    next,
  )
  const ofInvocation =
    (kind: 'wake' | 'deadline') =>
    (row: DueRow): DueItem => {
      return { kind, runId: runId(row.run_id), invocationId: invocationId(row.id), dueAt: row.due_at }
    }
  return ({ now, limit }) => {
    // One more than asked for tells whether some are left over.
    const items: readonly DueItem[] = [
      ...wake.all(now, limit + 1).map(ofInvocation('wake')),
      ...deadline.all(now, limit + 1).map(ofInvocation('deadline')),
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
