/** SQL to a file on a file and on real servers: rows as they come, within limits, and all of it or nothing. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { unfinishedPath } from '../../src-engine/tasks/files/kept.ts'
import { onDatabase, statementOf } from '../../src-engine/tasks/sql/on-database.ts'
import { createSqlStatementRun } from '../../src-engine/tasks/sql/run.ts'
import { sqlStatementSpec } from '../../src-engine/tasks/sql/spec.ts'
import { createNodeSqliteHost } from '../../src-engine/tasks/sql/sqlite-host.ts'
import type { RowSink } from '../../src-engine/tasks/sql/work.ts'
import { sqlExportMock } from '../../src-engine/tasks/sql-export/mock.ts'
import { createSqlExportRun } from '../../src-engine/tasks/sql-export/run.ts'
import { sqlExportSpec } from '../../src-engine/tasks/sql-export/spec.ts'
import type { TaskContext } from '../../src-engine/tasks/task.ts'
import type { SqlServer } from '../support/sql-servers.ts'
import { sqlAddress, sqlHost, startMariaDb, startPostgres } from '../support/sql-servers.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'

const ports = { lookup: async () => [{ address: sqlAddress, family: 4 }], sqlite: createNodeSqliteHost() }
const exportRun = createSqlExportRun(ports)
const statementRun = createSqlStatementRun(ports)

let folder = ''
let out = ''
let postgres: SqlServer
let mariadb: SqlServer
const databases: Record<string, JsonObject> = {}
const of = (name: string): JsonObject => databases[name] ?? {}
const context = (parts: Partial<TaskContext> = {}) =>
  taskContext({ approvedHosts: [sqlHost], baseDirectory: folder, ...parts })
const written = async (database: JsonObject, raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await exportRun.execute(
      sqlExportSpec.parameters.parse({ database, path: 'out/rows.txt', ...raw }),
      context(parts),
    ),
  )
const text = () => readFile(join(out, 'rows.txt'), 'utf8')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-export-'))
  out = join(folder, 'out')
  const file = join(folder, 'shop.db')
  databases['sqlite'] = { kind: 'sqlite', file }
  const make = { database: { kind: 'sqlite', file, create: true }, sql: 'create table goods (id integer)' }
  await statementRun.execute(sqlStatementSpec.parameters.parse(make), context())
  const answers = (kind: string) => async (server: Omit<SqlServer, 'stop'>) => {
    const { host, port, user, password, database, authority } = server
    const place: JsonObject = { kind, host, port, user, password, database, authority }
    databases[kind] = place
    return written(place, { sql: 'select 1 as a' }).then(
      () => true,
      () => false,
    )
  }
  ;[postgres, mariadb] = await Promise.all([
    startPostgres(answers('postgres')),
    startMariaDb(answers('mysql')),
  ])
})
afterAll(async () => {
  await Promise.all([postgres?.stop(), mariadb?.stop()])
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => rm(out, { recursive: true, force: true }))

const many = 20_000
/** So many rows of a thousand characters. */
const long: Record<string, string> = {
  sqlite: `with recursive s(id) as (select 1 union all select id + 1 from s where id < ${many}) select id, printf('%.*c', 1000, 'x') as text from s`,
  postgres: `select g as id, repeat('x', 1000) as text from generate_series(1, ${many}) g`,
  mysql: `select seq as id, repeat('x', 1000) as text from seq_1_to_${many}`,
}
const rows = "select 1 as id, 'a' as name union all select 2, 'b' union all select 3, 'c' order by id"

describe.for(['sqlite', 'postgres', 'mysql'])('%s', (kind) => {
  test('one row per line, as JSON', async () => {
    const path = join(out, 'rows.txt')
    expect(await written(of(kind), { sql: rows })).toEqual({
      ...{ path, count: 3, bytes: 60, columns: ['id', 'name'], isCut: false },
    })
    expect(await text()).toBe('{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n{"id":3,"name":"c"}\n')
    expect(await readdir(out)).toEqual(['rows.txt'])
  })

  test('as CSV, with names, quotes and no formulas', async () => {
    const sql = `select 1 as id, :evil as "note" union all select 2, :quoted order by id`
    const ours = kind === 'mysql' ? sql.replaceAll('"', '`') : sql
    const parameters = { evil: '=1+1', quoted: 'a;"b"' }
    const cast = kind === 'postgres' ? ours.replace(':evil', ':evil::text') : ours
    await written(of(kind), { sql: cast, parameters, format: 'csv', delimiter: ';' })
    expect(await text()).toBe(`id;note\n1;"'=1+1"\n2;"a;""b"""\n`)
  })

  test('no rows: a file with the names of the columns, or an empty one', async () => {
    const sql = 'select id from (select 1 as id) one where id = 2'
    expect(await written(of(kind), { sql, format: 'csv' })).toMatchObject({ count: 0, columns: ['id'] })
    expect(await text()).toBe('id\n')
    await written(of(kind), { sql })
    expect(await text()).toBe('')
  })

  test('more rows or bytes than allowed are an error, and leave what was there', async () => {
    await written(of(kind), { sql: 'select 1 as a' })
    for (const limit of [{ maxRows: 2 }, { maxBytes: 30 }]) {
      expect(await thrownBy(() => written(of(kind), { sql: rows, ...limit }))).toMatchObject({
        code: 'task_output_too_large',
      })
    }
    expect(await text()).toBe('{"a":1}\n')
    expect(await readdir(out)).toEqual(['rows.txt'])
  })

  test('or are left out, where that is wished', async () => {
    const cut = { sql: long[kind] ?? '', maxRows: 700, tooMany: 'cut' }
    expect(await written(of(kind), cut)).toMatchObject({ count: 700, isCut: true, columns: ['id', 'text'] })
    expect((await text()).split('\n')).toHaveLength(701)
  })

  test('however many rows there are, each is there once and in its place', async () => {
    expect(await written(of(kind), { sql: long[kind] ?? '' })).toMatchObject({ count: many, isCut: false })
    const ids = (await text())
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly id: number }).id)
    expect(ids).toEqual(Array.from({ length: many }, (_, index) => index + 1))
  })

  test('the database stands still while rows are being written', async () => {
    const heldMax = 1_000
    let taken = 0
    let held = 0
    let most = 0
    let waiting: Promise<void> | null = null
    const sink: RowSink = {
      add: () => {
        taken += 1
        if (waiting !== null) held += 1
        else if (taken % 2_000 === 0) waiting = turns(10_000)
        return true
      },
      isCut: () => false,
      busy: () => waiting,
    }
    async function turns(count: number): Promise<void> {
      const isQuiet = () => held < heldMax
      for (let turn = 0; turn < count && isQuiet(); turn += 1)
        await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, held)
      held = 0
      waiting = null
    }
    const { database } = sqlExportSpec.parameters.parse({ database: of(kind), sql: 'x', path: 'x' })
    const statements = [statementOf(long[kind] ?? '', {})]
    const work = { isReadOnly: true, isAtomic: true, statements, rowsMax: 1, cuts: false }
    await onDatabase(ports, { database, work, timeoutMs: 60_000, sink }, context())
    expect(taken).toBe(many)
    // What was on its way already: a piece of ours, or what a socket holds.
    expect(most).toBeLessThan(heldMax)
  })

  test('a query that is none, and one that changes something', async () => {
    for (const sql of ['delete from goods', 'selec 1']) {
      expect(await thrownBy(() => written(of(kind), { sql }))).toMatchObject({
        code: expect.stringMatching(/^(sql_failed|task_input_invalid)$/) as string,
      })
    }
    expect(await readdir(out)).toEqual([])
  })

  test('cancelling ends it, and leaves nothing', async () => {
    const stop = new AbortController()
    const endless = (long[kind] ?? '').replaceAll(String(many), '100000000')
    const work = written(of(kind), { sql: endless }, { signal: stop.signal, ...abortOnFile(stop) })
    expect(await thrownBy(() => work)).toMatchObject({ code: 'task_cancelled' })
    expect(await readdir(out)).toEqual([])
  })
})

/** Aborts once the deadline is set: by then the file is open. */
function abortOnFile(stop: AbortController): Partial<TaskContext> {
  const { clock } = taskContext()
  const after: TaskContext['clock']['after'] = (span, call) => {
    setImmediate(() => stop.abort())
    return clock.after(span, call)
  }
  return { clock: { ...clock, after } }
}

test('a file that is there stays, where that is wished; the database itself is never written over', async () => {
  await written(of('sqlite'), { sql: 'select 1 as a' })
  const again = () => written(of('sqlite'), { sql: 'select 2 as a', existing: 'fail' })
  expect(await thrownBy(again)).toMatchObject({ code: 'file_exists' })
  expect(await text()).toBe('{"a":1}\n')
  expect(await thrownBy(() => written(of('sqlite'), { sql: rows, path: 'shop.db' }))).toMatchObject({
    code: 'task_input_invalid',
    details: { field: 'path' },
  })
})

test('only into the folders that the document names', async () => {
  const approvedFolders = [join(folder, 'elsewhere')]
  const work = () => written(of('postgres'), { sql: rows }, { approvedFolders })
  expect(await thrownBy(work)).toMatchObject({ code: 'file_place_denied' })
})

test('what a crash left of an earlier attempt is no obstacle', async () => {
  const kept = context()
  await written(of('sqlite'), { sql: 'select 1 as a' })
  await writeFile(unfinishedPath(join(out, 'rows.txt'), kept.idempotencyKey), 'half')
  expect(await written(of('sqlite'), { sql: rows })).toMatchObject({ count: 3 })
  expect(await readdir(out)).toEqual(['rows.txt'])
})

test('the mock asks nobody and writes nothing', () => {
  const parameters = sqlExportSpec.parameters.parse({ database: of('sqlite'), sql: 'x', path: 'a.csv' })
  expect(sqlExportMock(parameters, context())).toMatchObject({
    output: { path: join(folder, 'a.csv'), count: 0 },
  })
})
