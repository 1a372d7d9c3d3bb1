/** Loading and listing. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { DeadLetter, OutboxRecord, Register } from '../../model/checkpoint.ts'
import { definitionHash, workflowId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { ListQueries, Page } from '../store.ts'
import type { Database } from './connection.ts'
import type { EventReader } from './event-reader.ts'
import type { Names } from './names.ts'
import type { Listers, Loaders } from './query-shapes.ts'
import type { RunRow } from './rows.ts'
import { decodeRun, runColumns } from './rows.ts'
import {
  preparePermits,
  preparePermitWaiters,
  prepareSignalWaiters,
  prepareWork,
  prepareWorkCounts,
} from './work-queries.ts'
import type { Writer } from './writer.ts'

interface BodyRow {
  readonly body: string
}

interface RegisterRow {
  readonly key: string
  readonly version: number
  readonly value: string
}

const toRegister = ({ key, version, value }: RegisterRow): Register => {
  return { key, version, value: JSON.parse(value) as JsonValue }
}

interface VersionRow {
  readonly hash: string
  readonly workflow_id: string
  readonly title: string
  readonly document: string
  readonly published_at: number
}

const versionColumns = 'hash, workflow_id, title, document, published_at'

const toVersion = (row: VersionRow): WorkflowVersion => {
  const { title, document } = row
  return {
    hash: definitionHash(row.hash),
    workflowId: workflowId(row.workflow_id),
    title,
    document,
    publishedAt: row.published_at,
  }
}

export function createLoaders(
  database: Database,
  writer: Pick<
    Writer,
    'events' | 'feedEnd' | 'found' | 'invocation' | 'invocations' | 'names' | 'slotHolders'
  >,
): Loaders {
  const decode = (row: RunRow): RunRecord => decodeRun(row, writer.names)
  const run = database.prepare<[string], RunRow>(`select ${runColumns} from run where id = ?`)
  const runByRequest = database.prepare<[string], RunRow>(
    `select ${runColumns} from run where request_id = +? order by key limit 1`,
  )
  const version = database.prepare<[string], VersionRow>(
    `select ${versionColumns} from workflow_version where hash = ?`,
  )
  const register = database.prepare<[string], RegisterRow>(
    'select key, version, value from register where key = ?',
  )
  const letter = database.prepare<[string], BodyRow>('select body from dead_letter where id = ?')
  const runner = database.prepare<[string], BodyRow>('select body from runner where id = ?')
  return {
    run: ({ runId }) => found(run.get(runId), decode),
    runByRequest: ({ requestId }) => found(runByRequest.get(requestId), decode),
    runCounts: prepareRunCounts(database),
    invocations: ({ runId }) => writer.invocations(runId),
    invocation: ({ invocationId }) => writer.invocation(invocationId),
    attempts: prepareAttempts(database, writer.events),
    workflowVersion: ({ hash }) => found(version.get(hash), toVersion),
    register: ({ key }) => found(register.get(key), toRegister),
    dueRegisters: prepareDueRegisters(database),
    slotHolders: writer.slotHolders,
    permitWaiters: preparePermitWaiters(database, writer),
    workCounts: prepareWorkCounts(database),
    deadLetter: ({ id }) => found(letter.get(id), ({ body }) => JSON.parse(body) as DeadLetter),
    runner: ({ runnerId }) => found(runner.get(runnerId), ({ body }) => JSON.parse(body) as RunnerRecord),
    feedEnd: writer.feedEnd,
  }
}

/** Asked at every look at the chores. */
export const dueRegistersQuery =
  'select key, version, value, due_at from register where due_at is not null order by due_at, key limit +?'

/** One row more than asked for tells when to look again. */
function prepareDueRegisters(database: Database): Loaders['dueRegisters'] {
  const earliest = database.prepare<[number], RegisterRow & { readonly due_at: number }>(dueRegistersQuery)
  return ({ upTo, limit }) => {
    const rows = earliest.all(limit + 1)
    const come = rows.slice(0, limit).filter((row) => row.due_at <= upTo)
    return {
      due: come.map((row) => ({ ...toRegister(row), dueAt: row.due_at })),
      nextAt: rows[come.length]?.due_at ?? null,
    }
  }
}

/** From the counts that triggers keep: as many rows as there are workflows, times their statuses. */
function prepareRunCounts(database: Database): Loaders['runCounts'] {
  const counts = database.prepare<[string | null, number], { status: RunStatus; count: number }>(
    `select status, sum(count) as count from run_count
     where count > 0 and workflow_id = coalesce(?, workflow_id) ${coreToo} group by status order by status`,
  )
  return ({ workflowId: workflow, includeCore }) =>
    new Map(counts.all(workflow, Number(includeCore)).map(({ status, count }) => [status, count]))
}

/** Bound to whether the engine's own runs are wanted. */
const coreToo = "and (? or workflow_id not between 'core.' and 'core.\u{10ffff}')"

const coreRunsToo = `and (? or workflow not in (
  select key from name where text between 'core.' and 'core.\u{10ffff}'
))`
const keyOfName = '(select key from name where text = ?)'

const found = <Row, Item>(row: Row | undefined, decode: (row: Row) => Item): Item | null =>
  row === undefined ? null : decode(row)

/** Attempts are told by events and kept nowhere else. */
function prepareAttempts(database: Database, events: EventReader): Loaders['attempts'] {
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  return ({ runId, invocationId }) => {
    const key = keyOf.get(runId)
    if (key === undefined) return []
    const attempts: AttemptRecord[] = []
    for (const { body } of events.ofRun(key, runId)) {
      if (body.type !== 'invocation.changed' || body.attempt === null) continue
      if (invocationId === null || body.attempt.invocationId === invocationId) attempts.push(body.attempt)
    }
    return attempts
  }
}

export function createListers(
  database: Database,
  writer: Pick<Writer, 'found' | 'invocation' | 'names' | 'slotHolders'>,
): Listers {
  const bodies = (table: string, keyColumn = 'id') =>
    preparePages<{ body: string }>(database, {
      select: 'body',
      table,
      keyColumn,
    })
  const runners = bodies('runner')
  const deadLetters = preparePages<BodyRow, [string | null, string | null, string | null]>(database, {
    select: 'body',
    table: 'dead_letter',
    keyColumn: 'id',
    where: `body ->> 'reason' is coalesce(?, body ->> 'reason')
      and body ->> 'workflowId' is coalesce(?, body ->> 'workflowId')
      and body ->> 'runId' is coalesce(?, body ->> 'runId')`,
  })
  const outbox = preparePages<{ id: string; kind: string; due_at: number; body: string }, [number]>(
    database,
    {
      select: 'id, kind, due_at, body',
      table: 'outbox',
      keyColumn: 'id',
      where: 'due_at <= ?',
    },
  )
  const versions = preparePages<VersionRow>(database, {
    select: versionColumns,
    table: 'workflow_version',
    keyColumn: 'hash',
  })
  const versionsOf = preparePages<VersionRow, [string]>(database, {
    select: versionColumns,
    table: 'workflow_version',
    keyColumn: 'hash',
    where: 'workflow_id = +?',
  })
  const registers = database.prepare<[string, string, number], RegisterRow>(
    `select key, version, value from register where key >= ? and key > ? order by key limit +?`,
  )
  return {
    runs: prepareRuns(database, writer.names),
    runners: (_, page) => runners(page).map(({ body }) => JSON.parse(body) as RunnerRecord),
    deadLetters: ({ reason, workflowId: workflow, runId }, page) =>
      deadLetters(page, reason, workflow, runId).map(({ body }) => JSON.parse(body) as DeadLetter),
    work: prepareWork(database, writer),
    signalWaiters: prepareSignalWaiters(database, writer),
    permits: preparePermits(database, writer),
    workflowVersions: (filter, page) =>
      (filter.workflowId === null ? versions(page) : versionsOf(page, filter.workflowId)).map(toVersion),
    outbox: (filter, page) =>
      outbox(page, filter.dueBefore).map(({ id, kind, due_at, body }): OutboxRecord => {
        return { id, kind, dueAt: due_at, body: JSON.parse(body) as JsonValue }
      }),
    registers: ({ prefix }, { after, limit }) => {
      const rows = registers.all(prefix, after ?? '', limit)
      const end = rows.findIndex(({ key }) => !key.startsWith(prefix))
      return (end === -1 ? rows : rows.slice(0, end)).map(toRegister)
    },
  }
}

/** Newest first by key: a page starts where the one before it ended, at the same cost at any depth. */
function preparePages<Row, Filter extends readonly unknown[] = []>(
  database: Database,
  what: {
    readonly select: string
    readonly table: string
    readonly keyColumn: string
    readonly where?: string
  },
): (page: Page, ...filter: Filter) => readonly Row[] {
  const where = what.where === undefined ? '' : `and ${what.where}`
  const keyOf = database
    .prepare<[string], number>(`select key from ${what.table} where ${what.keyColumn} = ?`)
    .pluck()
  const rows = database.prepare<unknown[], Row>(
    `select ${what.select} from ${what.table} where key < ? ${where} order by key desc limit +?`,
  )
  return ({ after, limit }, ...filter) => {
    const before = after === null ? Number.MAX_SAFE_INTEGER : keyOf.get(after)
    return before === undefined ? [] : rows.all(before, ...filter, limit)
  }
}

function prepareRuns(database: Database, names: Names): Listers['runs'] {
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  const page = (where: string) =>
    database.prepare<unknown[], RunRow>(
      `select ${runColumns} from run where key < ? ${where} order by key desc limit +?`,
    )
  const all = page(coreRunsToo)
  const ofStatus = page(`and status = ${keyOfName} ${coreRunsToo}`)
  const ofWorkflow = page(`and workflow = ${keyOfName} ${coreRunsToo}`)
  const ofBoth = page(
    `and workflow = ${keyOfName} and status in (
       select key from name where text in (select value from json_each(?))
     ) ${coreRunsToo}`,
  )
  const select = (
    before: number,
    filter: ListQueries['runs']['filter'],
    limit: number,
  ): readonly RunRow[] => {
    const { statuses, workflowId: workflow } = filter
    const core = Number(filter.includeCore)
    if (workflow !== null && statuses !== null)
      return ofBoth.all(before, workflow, JSON.stringify(statuses), core, limit)
    if (workflow !== null) return ofWorkflow.all(before, workflow, core, limit)
    if (statuses === null) return all.all(before, core, limit)
    // Each status has its part of the index; together they hold the newest of all.
    return statuses
      .flatMap((status) => ofStatus.all(before, status, core, limit))
      .sort((a, b) => b.key - a.key)
      .slice(0, limit)
  }
  return (filter, { after, limit }): readonly RunRecord[] => {
    const before = after === null ? Number.MAX_SAFE_INTEGER : keyOf.get(after)
    return before === undefined ? [] : select(before, filter, limit).map((row) => decodeRun(row, names))
  }
}
