/** SQL steps on files and on real servers: data as parameters, limits, transactions, and an end that is one. */

import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { createSqlQueryRun, createSqlStatementRun } from '../../src-engine/tasks/sql/run.ts'
import { sqlQuerySpec, sqlStatementSpec } from '../../src-engine/tasks/sql/spec.ts'
import { createNodeSqliteHost } from '../../src-engine/tasks/sql/sqlite-host.ts'
import type { TaskContext } from '../../src-engine/tasks/task.ts'
import { until } from '../support/redis-servers.ts'
import type { SqlServer } from '../support/sql-servers.ts'
import { sqlAddress, sqlHost, startMariaDb, startPostgres } from '../support/sql-servers.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'

const ports = { lookup: async () => [{ address: sqlAddress, family: 4 }], sqlite: createNodeSqliteHost() }
const queryRun = createSqlQueryRun(ports)
const statementRun = createSqlStatementRun(ports)

const context = (parts: Partial<TaskContext> = {}) => taskContext({ approvedHosts: [sqlHost], ...parts })
const query = async (database: JsonObject, raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(await queryRun.execute(sqlQuerySpec.parameters.parse({ database, ...raw }), context(parts)))
const change = async (database: JsonObject, raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await statementRun.execute(sqlStatementSpec.parameters.parse({ database, ...raw }), context(parts)),
  )

let folder = ''
let postgres: SqlServer
let mariadb: SqlServer
const databases: Record<string, JsonObject> = {}
const of = (name: string): JsonObject => databases[name] ?? {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-sql-'))
  databases['sqlite'] = { kind: 'sqlite', file: join(folder, 'shop.db'), create: true }
  const answers = (kind: string) => async (server: Omit<SqlServer, 'stop'>) => {
    const { host, port, user, password, database, authority } = server
    const place: JsonObject = { kind, host, port, user, password, database, authority }
    databases[kind] = place
    return query(place, { sql: 'select 1 as a' }).then(
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

const all = ['sqlite', 'postgres', 'mysql']

describe.for(all)('%s', (kind) => {
  const none = { parameters: {} }
  beforeAll(async () => {
    await change(of(kind), { sql: 'create table goods (id integer primary key, name varchar(100))', ...none })
  })

  test('what is written comes back, with data in parameters only', async () => {
    const name = `Robert'); drop table goods; --`
    const sql = 'insert into goods (id, name) values (:id, :name)'
    expect(await change(of(kind), { sql, parameters: { id: 1, name } })).toMatchObject({ affected: 1 })
    expect(
      await query(of(kind), {
        sql: "select id, name, ':no' as no from goods where name = :name -- :comment",
        parameters: { name },
      }),
    ).toEqual({ rows: [{ id: 1, name, no: ':no' }], count: 1, isCut: false })
  })

  test('placeholders of its own take a list', async () => {
    const sql = kind === 'postgres' ? 'select $1::text as a, $2::int as b' : 'select ? as a, ? as b'
    const output = await query(of(kind), { sql, parameters: ['x', 7] })
    expect(output).toMatchObject({ rows: [{ a: 'x', b: 7 }] })
  })

  test('once per item, and all or none of several', async () => {
    const sql = 'insert into goods (id, name) values (:id, :name)'
    const items = Array.from({ length: 20 }, (_, index) => ({ id: 100 + index, name: `n${index}` }))
    expect(await change(of(kind), { mode: 'each', sql, items })).toEqual({ affected: 20, runs: 20 })
    const statements = [
      { sql: 'delete from goods where id >= :from', parameters: { from: 100 } },
      { sql, parameters: { id: 1, name: 'is there already' } },
    ]
    expect(await thrownBy(() => change(of(kind), { mode: 'transaction', statements }))).toMatchObject({
      code: 'sql_failed',
      retryable: false,
    })
    const counted = await query(of(kind), { sql: 'select count(*) as n from goods where id >= 100' })
    expect(counted).toMatchObject({ rows: [{ n: 20 }] })
  })

  test('a query changes nothing, whatever it says', async () => {
    for (const sql of ['delete from goods', 'create table other (a integer)', 'commit']) {
      await thrownBy(async () => {
        await query(of(kind), { sql })
        throw new Error('it had nothing to say')
      })
    }
    expect(await query(of(kind), { sql: 'select count(*) as n from goods' })).toMatchObject({
      rows: [{ n: 21 }],
    })
    expect(await thrownBy(() => query(of(kind), { sql: 'select * from other' }))).toMatchObject({
      code: 'sql_failed',
    })
  })

  test('two statements are not one', async () => {
    expect(await thrownBy(() => change(of(kind), { sql: 'select 1; delete from goods' }))).toMatchObject({
      code: expect.stringMatching(/^sql_failed$/) as string,
    })
  })

  test('more rows than wanted are an error, or are left out', async () => {
    const asked = { sql: 'select id from goods order by id', maxRows: 3 }
    expect(await thrownBy(() => query(of(kind), asked))).toMatchObject({ code: 'task_output_too_large' })
    expect(await query(of(kind), { ...asked, tooMany: 'cut' })).toEqual({
      rows: [{ id: 1 }, { id: 100 }, { id: 101 }],
      count: 3,
      isCut: true,
    })
  })

  test('a name without a value is said before anything is done', async () => {
    const asked = { sql: 'select :missing as a', parameters: { other: 1 } }
    expect(await thrownBy(() => query(of(kind), asked))).toMatchObject({
      code: 'task_input_invalid',
      details: { name: 'missing', given: ['other'] },
    })
  })

  test('what it does not know is told with its words', async () => {
    expect(await thrownBy(() => query(of(kind), { sql: 'select * from nowhere' }))).toMatchObject({
      code: 'sql_failed',
      message: expect.stringContaining('nowhere') as string,
      retryable: false,
    })
  })

  const endless: Record<string, string> = {
    sqlite: 'with recursive c(n) as (select 1 union all select n + 1 from c) select max(n) as a from c',
    postgres: 'select pg_sleep(3600)',
    mysql: 'select sleep(3600) as a',
  }

  test('what takes too long is ended, here and there', async () => {
    const thrown = await thrownBy(() => query(of(kind), { sql: endless[kind] ?? '', timeoutMs: 700 }))
    expect(thrown).toMatchObject({ code: 'task_timeout', details: { timeoutMs: 700 } })
    await gone(kind)
  })

  test('a cancelled attempt ends it too', async () => {
    const stop = new AbortController()
    const work = query(of(kind), { sql: endless[kind] ?? '' }, { signal: stop.signal })
    setImmediate(() => stop.abort())
    expect(await thrownBy(() => work)).toMatchObject({ code: 'task_cancelled' })
    await gone(kind)
  })
})

/** How many statements that take for ever a server is at; none for a file. */
async function atWork(kind: string): Promise<number> {
  const sql: Record<string, string> = {
    postgres: `select count(*) as n from pg_stat_activity where state = 'active' and query like '%pg_sleep(3600%' and pid <> pg_backend_pid()`,
    mysql: `select count(*) as n from information_schema.processlist where info like '%sleep(3600%' and id <> connection_id()`,
  }
  const asked = sql[kind]
  if (asked === undefined) return 0
  const output = (await query(of(kind), { sql: asked })) as { readonly rows: readonly { n: number }[] }
  return output.rows[0]?.n ?? 0
}

/** No server works on anything that nobody waits for. */
const gone = (kind: string): Promise<void> =>
  until('nothing is at work', async () => (await atWork(kind)) === 0)

describe('sqlite', () => {
  test.for([
    "attach database '/etc/passwd' as x",
    " /* c */ -- d\n attach ':memory:' as x",
    '; attach ":memory:" as x',
    "vacuum into '/tmp/x'",
    'pragma writable_schema = on',
    'begin',
    "\uFEFFpragma journal_mode = 'delete'",
    '',
  ])('does not run %s', async (sql) => {
    const statements = [{ sql: sql === '' ? ' ' : sql, parameters: {} }]
    expect(await thrownBy(() => change(of('sqlite'), { mode: 'transaction', statements }))).toMatchObject({
      code: 'task_input_invalid',
    })
  })

  test('no library is loaded into it', async () => {
    const asked = { sql: "select load_extension('/tmp/x') as a" }
    expect(await thrownBy(() => query(of('sqlite'), asked))).toMatchObject({ code: 'sql_failed' })
  })

  test('large numbers, bytes and lists', async () => {
    const sql =
      "select 9007199254740993 as big, :n as n, x'00ff' as bytes, :list as list, :yes as yes, 0.5 as half"
    const output = await query(of('sqlite'), { sql, parameters: { n: 5, list: [1, 2], yes: true } })
    expect(output).toMatchObject({
      rows: [{ big: '9007199254740993', n: 5, bytes: 'AP8=', list: '[1,2]', yes: 1, half: 0.5 }],
    })
  })

  test('a missing file is not made by a query, nor without being asked', async () => {
    const file = join(folder, 'missing.db')
    for (const work of [
      () => query({ kind: 'sqlite', file, create: true }, { sql: 'select 1' }),
      () => change({ kind: 'sqlite', file }, { sql: 'create table a (b)' }),
    ])
      expect(await thrownBy(work)).toMatchObject({ code: 'file_not_found' })
  })

  test('only inside the folders that the document names, links followed', async () => {
    const link = join(folder, 'link.db')
    await symlink('/etc/passwd', link)
    const approvedFolders = [folder]
    const file = { kind: 'sqlite', file: link }
    expect(await thrownBy(() => query(file, { sql: 'select 1' }, { approvedFolders }))).toMatchObject({
      code: 'file_place_denied',
    })
    expect(await query(of('sqlite'), { sql: 'select 1 as a' }, { approvedFolders })).toMatchObject({
      count: 1,
    })
  })
})

describe.for(['postgres', 'mysql'])('the server of %s', (kind) => {
  test('outside the public network it must be approved', async () => {
    const work = () => query(of(kind), { sql: 'select 1' }, { approvedHosts: [] })
    expect(await thrownBy(work)).toMatchObject({ code: 'http_address_denied' })
  })

  test('a wrong password is told apart', async () => {
    const work = () => query({ ...of(kind), password: 'wrong' }, { sql: 'select 1' })
    expect(await thrownBy(work)).toMatchObject({ code: 'sign_in_refused', retryable: false })
  })

  test('who cannot prove its name gets no password', async () => {
    const work = () => query({ ...of(kind), authority: '' }, { sql: 'select 1' })
    expect(await thrownBy(work)).toMatchObject({ code: 'connection_failed' })
  })

  test('nobody there', async () => {
    const work = () => query({ ...of(kind), port: 9 }, { sql: 'select 1' })
    expect(await thrownBy(work)).toMatchObject({ code: 'connection_failed', retryable: true })
  })

  test('a statement alone that is cut off leaves its effect open', async () => {
    const sql = kind === 'postgres' ? 'select pg_sleep(3600)' : 'do sleep(3600)'
    const stop = new AbortController()
    const work = thrownBy(() => change(of(kind), { sql }, { signal: stop.signal }))
    await until('the server works on it', async () => (await atWork(kind)) > 0)
    // One that goes on answering may say in time that nothing was done; then nothing is open.
    const goOn = kind === 'postgres' ? await silenced() : () => undefined
    try {
      stop.abort()
      expect(await work).toMatchObject({ code: 'task_cancelled', details: { effect: 'unknown' } })
    } finally {
      goOn()
    }
    await gone(kind)
  })
})

/** Stops the process of the server that is at the endless statement; gives what lets it go on. */
async function silenced(): Promise<() => void> {
  const sql = `select pid from pg_stat_activity where state = 'active' and query = 'select pg_sleep(3600)'`
  const output = (await query(of('postgres'), { sql })) as { readonly rows: readonly { pid: number }[] }
  const pids = output.rows.map(({ pid }) => pid)
  expect(pids).toHaveLength(1)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

test('postgres: values as JSON has them', async () => {
  const sql = `select 9007199254740993::int8 as big, 1.50::numeric as amount, true as yes, '{"a":[1]}'::jsonb as json,
    '\\x00ff'::bytea as bytes, '2024-02-29'::date as day, array[1,2] as list, 'NaN'::float8 as nan, null as none,
    1::int8 as small, :ids::int[] as ids`
  expect(await query(of('postgres'), { sql, parameters: { ids: [3, 4] } })).toMatchObject({
    rows: [
      {
        ...{ big: '9007199254740993', amount: '1.50', yes: true, json: { a: [1] }, bytes: 'AP8=', small: 1 },
        ...{ day: '2024-02-29', list: '{1,2}', nan: 'NaN', none: null, ids: '{3,4}' },
      },
    ],
  })
})

test('mysql: values as JSON has them, and no file of this machine', async () => {
  const sql = `select 9007199254740993 as big, 1.50 as amount, x'00ff' as bytes, date '2024-02-29' as day, null as none`
  expect(await query(of('mysql'), { sql })).toMatchObject({
    rows: [{ big: '9007199254740993', amount: '1.50', bytes: 'AP8=', day: '2024-02-29', none: null }],
  })
  const load = "load data local infile '/etc/passwd' into table goods"
  expect(await thrownBy(() => change(of('mysql'), { sql: load }))).toMatchObject({ code: 'sql_failed' })
})
