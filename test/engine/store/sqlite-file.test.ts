/** What only a file can show: settings, migrations, damage, unclean stops, failures of the medium. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blobHash, storeId } from '../../../src-engine/model/ids.ts'
import { assertSettings, openConnection, requireNode } from '../../../src-engine/store/sqlite/connection.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { sqliteFailure } from '../../../src-engine/store/sqlite/sqlite-errors.ts'
import type { SqliteOptions } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { accept, verifyHistory } from '../../conformance/scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  byRunner,
  moving,
  movingRun,
  registering,
  start,
  starting,
} from '../../conformance/story.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-file-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const dataFile = (): string => join(directory, dataFileName)
const open = (set: Partial<SqliteOptions> = {}) =>
  openSqliteStore({
    directory,
    storeId: storeId('s'),
    clock: { now: () => start, after: () => () => undefined },
    ...set,
  })
const nextForm = migrations.length + 1
const later = [
  ...migrations,
  { version: nextForm, name: 'later', sql: 'create table later (a integer) strict;' },
]
/** The file that form 5 left of some runs: queued and waiting, ended, removed, and blocked before its start. */
function writeForm5(database: Database.Database): void {
  for (const { sql, version } of migrations) if (version <= 5) database.exec(sql)
  database.exec(readFileSync(new URL('form-5.sql', import.meta.url), 'utf8'))
  database.pragma('user_version = 5')
}
/** A process that is gone, or one that lives. */
const probe = (pid: number, alive: boolean) => ({ pid, isAlive: () => alive })

describe('settings', () => {
  test('a strict connection syncs at each commit, a relaxed one at checkpoints; both are read back', () => {
    for (const [durability, level] of [
      ['strict', 2],
      ['relaxed', 1],
    ] as const) {
      const database = openConnection(Database, { file: dataFile(), durability, busyTimeoutMs: 0 })
      expect(database.pragma('synchronous', { simple: true })).toBe(level)
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
      expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
      database.pragma('synchronous = OFF')
      expect(() => assertSettings(database, { file: dataFile(), durability })).toThrow(/synchronous is 0/)
      database.close()
    }
  })

  test('a Node that the binding crashes on is refused', () => {
    expect(() => requireNode('20.20.0')).toThrow(expect.objectContaining({ code: 'node_too_old' }))
    expect(() => requireNode('22.0.0')).not.toThrow()
  })
})

describe('migrations', () => {
  test('existing data is backed up, verified, then migrated', async () => {
    const first = await open()
    await accept(first, starting(aRun({ name: 'kept' })))
    await first.close()
    await (await open({ migrations: later })).close()
    const [backup] = readdirSync(join(directory, 'backups'))
    expect(backup).toBe(`sagasmith-form${migrations.length}-2023-11-14T22-13-20-000Z.db`)
    const copy = new Database(join(directory, 'backups', backup ?? ''), { readonly: true })
    expect(copy.pragma('user_version', { simple: true })).toBe(migrations.length)
    expect(copy.prepare('select id from run').pluck().all()).toEqual(['kept'])
    copy.close()
  })

  test('data of form 1 is brought to the form of today: what is queued, finished and told is as it was [S49]', async () => {
    const raw = new Database(dataFile())
    raw.exec(migrations[0]?.sql ?? '')
    raw.pragma('user_version = 1')
    // Such a file as form 1 wrote it: one of form 5 without what the forms between added.
    const donor = new Database(':memory:')
    writeForm5(donor)
    raw.pragma('foreign_keys = OFF')
    for (const table of ['meta', 'run', 'work', 'event_row']) {
      const columns = raw.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
      const insert = raw.prepare(
        `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`,
      )
      for (const row of donor.prepare(`select ${columns.join()} from ${table}`).raw().all()) insert.run(row)
    }
    raw.close()
    donor.close()
    const store = await open()
    const { claimed } = await store.claim(aClaim('a'))
    expect(claimed.map(({ invocation }) => invocation.nodeId)).toEqual(['q'])
    expect(readdirSync(join(directory, 'backups'))).toHaveLength(1)
    await store.close()
  })

  test('data of form 5 goes on in that of today: runs, work, lines, events and their hashes are as they were [S49]', async () => {
    const raw = new Database(dataFile())
    writeForm5(raw)
    raw.close()
    const store = await open()
    const filter = { statuses: null, workflowId: null, includeCore: true }
    const page = { after: null, limit: 9 }
    const runs = await store.list(0, 'runs', { filter, page })
    expect(runs).toMatchObject([
      { id: 'blocked', status: 'CREATED', workflowId: 'orders', version: 1 },
      { id: 'kept', status: 'SUCCEEDED', workflowTitle: 'Orders', version: 2, finishedAt: start },
      { id: 'done', status: 'SUCCEEDED', definitionHash: `w1_${'0'.repeat(64)}`, seed: 'seed' },
      { id: 'queued', status: 'RUNNING', priority: 'HIGH', parentRunId: 'done' },
    ])
    for (const run of runs) expect(await store.load(0, 'run', { runId: run.id })).toEqual(run)
    const ofStatus = { ...filter, statuses: ['SUCCEEDED'] as const, workflowId: runs[0]?.workflowId ?? null }
    expect(await store.list(0, 'runs', { filter: ofStatus, page })).toEqual(runs.slice(1, 3))
    const line = await store.load(0, 'permitWaiters', { key: 'workflow:flow', limit: 9 })
    expect(line.runs.map(({ id }) => id)).toEqual(['blocked'])
    const work = { filter: { statuses: ['REGISTERED', 'WAITING'] as const, pool: null }, page }
    expect((await store.list(0, 'work', work)).map(({ id }) => id)).toEqual(['queued/q', 'queued/w'])
    const paid = await store.list(0, 'signalWaiters', { filter: { name: 'paid' }, page })
    expect(paid.map(({ id }) => id)).toEqual(['queued/w'])
    // Events of both forms have one chain, with a stretch of removed ones in it.
    const { claimed } = await store.claim(aClaim('a'))
    expect(claimed.map(({ invocation }) => invocation.nodeId)).toEqual(['q'])
    await accept(store, starting(aRun({ name: 'new' })))
    await verifyHistory(store, true)
    const [ended] = await store.load(0, 'invocations', { runId: aRun({ name: 'done' }).id })
    expect(ended).toMatchObject({ status: 'SUCCESS', output: { kind: 'inline', json: '{"a":[1,2]}' } })
    // The parent of a run that is open stays.
    const request = { partition: 0, endedBefore: start + 1, keep: null, blobsBefore: null, limit: 9 }
    expect(await store.prune(request)).toMatchObject({ runs: 1 })
    const counts = await store.load(0, 'runCounts', { workflowId: null, includeCore: true })
    expect(Object.fromEntries(counts)).toEqual({ CREATED: 1, RUNNING: 2, SUCCEEDED: 1 })
    await verifyHistory(store, true)
    await store.close()
  })

  test('an event that was changed in form 5 is still found after the migration', async () => {
    const raw = new Database(dataFile())
    writeForm5(raw)
    raw.exec(`drop trigger event_row_fixed;
      update event_row set body = replace(body, '[1,2]', '[1,3]')`)
    raw.close()
    const store = await open()
    await expect(verifyHistory(store, true)).rejects.toThrow('was changed')
    await store.close()
  })

  test('who waited for a signal before there was an index for it still hears of it', async () => {
    const raw = new Database(dataFile())
    writeForm5(raw)
    // As the form before left it: without the name, and without the index.
    raw.exec('update work set blocked_by = null; drop index work_signal')
    raw.pragma('user_version = 4')
    raw.close()
    const store = await open()
    const waiters = (name: string) =>
      store.list(0, 'signalWaiters', { filter: { name }, page: { after: null, limit: 9 } })
    expect((await waiters('paid')).map(({ nodeId }) => nodeId)).toEqual(['w'])
    expect(await waiters('sent')).toEqual([])
    await store.close()
  })

  test('a new directory needs no backup, and opening again changes nothing', async () => {
    await (await open()).close()
    await (await open()).close()
    expect(readdirSync(directory)).toEqual([dataFileName])
  })

  test('a migration that fails leaves the data in its old form', async () => {
    await (await open()).close()
    const broken = [
      ...migrations,
      { version: nextForm, name: 'broken', sql: 'create table a (b); create nonsense;' },
    ]
    await expect(open({ migrations: broken })).rejects.toMatchObject({ code: 'internal' })
    const store = await open()
    await accept(store, starting(aRun()))
    await store.close()
  })

  test('data of a newer Sagasmith is refused and not touched [S49]', async () => {
    await (await open({ migrations: later })).close()
    const before = readFileSync(dataFile())
    await expect(open()).rejects.toMatchObject({ code: 'store_too_new' })
    expect(readFileSync(dataFile()).equals(before)).toBe(true)
  })
})

describe('unclean stops and damage', () => {
  test('a holder that is gone without closing makes the next opening say so', async () => {
    const crashed = await open({ probe: probe(4_000_001, true) })
    await accept(crashed, starting(aRun()))
    const next = await open({ probe: probe(4_000_002, false) })
    expect(next.info.cleanlyClosed).toBe(false)
    await next.close()
    const last = await open()
    expect(last.info.cleanlyClosed).toBe(true)
    await last.close()
    await crashed.close()
  })

  test('a holder that lives is no unclean stop', async () => {
    const one = await open()
    const two = await open()
    expect([one.info.cleanlyClosed, two.info.cleanlyClosed]).toEqual([true, true])
    await one.close()
    await two.close()
  })

  test('a file damaged in an unclean stop is told as damaged and left as it is', async () => {
    const store = await open()
    await accept(
      store,
      ...Array.from({ length: 300 }, (_, index) => starting(aRun({ name: `run-${index}` }))),
    )
    await store.close()
    const raw = new Database(dataFile())
    raw.prepare('insert into holder (pid) values (4000001)').run()
    raw.close()
    const bytes = readFileSync(dataFile())
    bytes.fill(0xa5, 4_096 * 12, 4_096 * 40)
    writeFileSync(dataFile(), bytes)
    await expect(open({ probe: probe(1, false) })).rejects.toMatchObject({ code: 'store_corrupt' })
    expect(readFileSync(dataFile()).equals(bytes)).toBe(true)
  })

  test('a file that is no database is told as damaged and left as it is [S49]', async () => {
    const text = 'This is not a database, but somebody saved it here. '.repeat(100)
    writeFileSync(dataFile(), text)
    await expect(open()).rejects.toMatchObject({ code: 'store_corrupt' })
    expect(readFileSync(dataFile(), 'utf8')).toBe(text)
  })

  test('a directory in the way of the file is told as a failure', async () => {
    mkdirSync(dataFile())
    await expect(open()).rejects.toMatchObject({ code: 'store_failed' })
  })
})

describe('failures while writing', () => {
  test('SQL itself refuses to change an event', async () => {
    const store = await open()
    await accept(store, starting(aRun(), [anInvocation(aRun(), 'n')]))
    const raw = new Database(dataFile())
    expect(() => raw.exec("update event_row set body = '[]'")).toThrow('may not be changed')
    raw.close()
    await store.close()
  })

  test('only what somebody must look for has a row of its own', async () => {
    const store = await open()
    const run = aRun()
    const record = anInvocation(run, 'n')
    const count = () => {
      const raw = new Database(dataFile(), { readonly: true })
      const found = raw.prepare('select count(*) from work').pluck().get()
      raw.close()
      return found
    }
    await accept(store, starting(run, [record, anInvocation(run, 'm')]))
    expect(count()).toBe(2)
    await accept(store, moving(record, ['PENDING', 'RUNNING', 'SUCCESS'], { actor: byRunner('a') }))
    expect(count()).toBe(1)
    await store.close()
  })

  test('a full disk refuses the commit whole, and work goes on when there is space', async () => {
    const limited = await open({ durability: 'strict' })
    await accept(limited, starting(aRun({ name: 'before' })))
    await limited.close()
    const store = await open({ pageLimit: Math.ceil(statSync(dataFile()).size / 4_096) })
    const input = { kind: 'inline', json: JSON.stringify('x'.repeat(20_000)) } as const
    const refused = await store.commit(0, [starting(aRun({ input }))]).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'store_full', retryable: true })
    expect(await store.load(0, 'run', { runId: aRun().id })).toBeNull()
    await store.close()
    const again = await open()
    await accept(again, starting(aRun({ input })))
    await again.close()
  })

  test('one checkpoint that SQL refuses does not take its batch with it', async () => {
    const store = await open()
    const raw = new Database(dataFile())
    raw.exec(`create trigger no_poison before insert on run when new.id = 'poison'
      begin select raise(abort, 'poison'); end`)
    raw.close()
    const answers = await Promise.allSettled(
      ['a', 'poison', 'b'].map((name) => store.commit(0, [starting(aRun({ name }))])),
    )
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(
      await store.list(0, 'runs', {
        filter: { statuses: null, workflowId: null, includeCore: true },
        page: { after: null, limit: 9 },
      }),
    ).toMatchObject([{ id: 'b' }, { id: 'a' }])
    await store.close()
  })

  test('codes of SQLite become codes of the catalogue', () => {
    const told = (code: string) => sqliteFailure(Object.assign(new Error('m'), { code }), 'f')
    const pairs = [
      ['SQLITE_FULL', 'store_full'],
      ['SQLITE_BUSY_SNAPSHOT', 'store_busy'],
      ['SQLITE_IOERR_FSYNC', 'store_failed'],
      ['SQLITE_CORRUPT_INDEX', 'store_corrupt'],
      ['SQLITE_CONSTRAINT_CHECK', 'internal'],
    ] as const
    for (const [from, to] of pairs) expect(told(from)).toMatchObject({ code: to })
    const bug = new TypeError('bug')
    expect(sqliteFailure(bug, 'f')).toBe(bug)
  })
})

describe('pruning a file', () => {
  test('a run of very many events goes in slices; nobody sees half of it, and a crash leaves no rest', async () => {
    const store = await open({ durability: 'relaxed' })
    const run = aRun({ name: 'long' })
    await accept(store, starting(run))
    let record = { ...run, status: 'RUNNING' as const, startedAt: start }
    for (let index = 0; index < 1_200; index += 1) {
      const step = registering(record, [anInvocation(run, `n${index}`)])
      await accept(store, step)
      record = { ...record, version: record.version + 1 }
    }
    await accept(store, movingRun(record, 'CANCELLED'), starting(aRun({ name: 'next' })))
    const rows = () => {
      const raw = new Database(dataFile(), { readonly: true })
      const found = raw.prepare('select count(*) from event_row').pluck().get()
      raw.close()
      return Number(found)
    }
    const raw = new Database(dataFile())
    raw.exec(`create trigger crash before insert on pruned_event
      when (select count(*) from event_row) < 500 begin select raise(abort, 'crash'); end`)
    const request = { partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: 9 }
    await expect(store.prune(request)).rejects.toThrow('crash')
    const half = rows()
    expect(half).toBeGreaterThan(1)
    expect(half).toBeLessThan(1_200)
    await verifyHistory(store, true)
    raw.exec('drop trigger crash')
    raw.close()
    expect(await store.prune(request)).toEqual({ runs: 0, blobs: 0, more: false })
    expect(rows()).toBe(1)
    await verifyHistory(store, true)
    await store.close()
  })
})

describe('blobs as files', () => {
  test('a blob is one file by its hash; a damaged one is told and healed by writing it again', async () => {
    const store = await open()
    const bytes = new TextEncoder().encode('content')
    const name = await store.putBlob(bytes)
    const path = join(directory, 'blobs', name.slice(0, 2), name)
    expect(readdirSync(join(directory, 'blobs', name.slice(0, 2)))).toEqual([name])
    writeFileSync(path, 'other')
    await expect(store.getBlob(blobHash(name))).rejects.toMatchObject({
      code: 'blob_missing',
      message: /damaged/,
    })
    await store.putBlob(bytes)
    expect(Buffer.from(await store.getBlob(name)).toString()).toBe('content')
    await store.close()
  })
})
