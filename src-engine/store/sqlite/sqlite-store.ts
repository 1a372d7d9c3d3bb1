/** The SQLite store: one data file, one writing connection per process, as many processes as join. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import { storeId } from '../../model/ids.ts'
import type { StoreId } from '../../model/ids.ts'
import { commitBatchMax } from '../../model/limits.ts'
import { assert } from '../../model/result.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { createFileBlobs, createMemoryBlobs } from '../blobs.ts'
import { createHints } from '../hints.ts'
import type { Store, StoreInfo } from '../store.ts'
import { createClaims } from './claims.ts'
import { busyTimeoutMs, loadBinding, openConnection } from './connection.ts'
import type { Database, Durability } from './connection.ts'
import { createGroupCommit } from './group-commit.ts'
import { deadHolders, inspectFile, systemProbe } from './inspect.ts'
import type { ProcessProbe } from './inspect.ts'
import { migrateDatabase } from './migrate.ts'
import { createListers, createLoaders } from './queries.ts'
import { migrations as allMigrations } from './schema.ts'
import type { Migration } from './schema.ts'
import { sqliteFailure } from './sqlite-errors.ts'
import { createWriter } from './writer.ts'

/** Calls a function again and again; returns the way to stop. */
export type PollPort = (check: () => void, everyMs: Millis) => () => void

export interface SqliteOptions {
  /** The data directory, or `:memory:` for a store that lasts as long as the process. */
  readonly directory: string
  /** The id that a new store gets; an existing one keeps its own. */
  readonly storeId: StoreId
  readonly clock: { readonly now: () => Instant }
  /** `strict` when absent: a commit survives power loss. */
  readonly durability?: Durability
  /** How other processes' commits are noticed while somebody watches; a real interval when absent. */
  readonly poll?: PollPort
  readonly probe?: ProcessProbe
  /** How long to wait for another process's transaction; blocks this process meanwhile. */
  readonly busyTimeoutMs?: Millis
  /** The most pages of 4 KiB that the data file may have; no limit when absent. */
  readonly pageLimit?: number
  /** For tests of migrations. */
  readonly migrations?: readonly Migration[]
}

const partition = 0
/** Often enough to look live, rare enough to cost nothing. */
const pollMs = 100
/** The name of the data file in its directory. */
export const dataFileName = 'sagasmith.db'

const realPoll: PollPort = (check, everyMs) => {
  const timer = setInterval(check, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Opens the data of a directory, new or not, brings it to this version's form and checks it after an
 * unclean stop. Refuses with `node_too_old`, `store_too_new`, `store_corrupt`, `store_busy`, `store_failed`.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { directory, migrations = allMigrations, probe = systemProbe, durability = 'strict' } = options
  const wait = options.busyTimeoutMs ?? busyTimeoutMs
  const binding = await loadBinding()
  const inMemory = directory === ':memory:'
  if (!inMemory) mkdirSync(directory, { recursive: true })
  const file = inMemory ? directory : join(directory, dataFileName)
  const { cleanlyClosed } = inspectFile({ binding, file, migrations, probe })
  let database: Database | null = null
  try {
    database = openConnection(binding, { file, durability, busyTimeoutMs: wait })
    if (options.pageLimit !== undefined) database.pragma(`max_page_count = ${options.pageLimit}`)
    migrateDatabase(database, { binding, file, migrations, now: options.clock.now() })
    const holder = hold(database, probe)
    return createStore(database, { ...options, file, cleanlyClosed, holder })
  } catch (thrown) {
    database?.close()
    throw sqliteFailure(thrown, file)
  }
}

/** Notes that this process has the file open; what dead processes noted has been looked at by now. */
function hold(database: Database, probe: ProcessProbe): number {
  const note = database.transaction(() => {
    const forget = database.prepare('delete from holder where key = ?')
    for (const dead of deadHolders(database, probe)) forget.run(dead)
    return Number(database.prepare('insert into holder (pid) values (?)').run(probe.pid).lastInsertRowid)
  })
  return note.immediate()
}

interface Opened extends SqliteOptions {
  readonly file: string
  readonly cleanlyClosed: boolean
  readonly holder: number
}

function createStore(database: Database, opened: Opened): Store {
  const { file } = opened
  const hints = createHints()
  const writer = createWriter(database)
  const claims = createClaims(database, writer)
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  let seenByWriter = dataVersion.get()
  let ownEnd = 0
  const group = createGroupCommit(database, {
    weightMax: commitBatchMax,
    begun() {
      const current = dataVersion.get()
      if (current !== seenByWriter) writer.forget()
      seenByWriter = current
    },
    undone: writer.forget,
    committed() {
      const end = writer.position()
      if (end !== ownEnd) hints.notify()
      ownEnd = end
    },
    failure: (thrown) => sqliteFailure(thrown, file),
  })
  const loaders = createLoaders(database, { events: writer.events, slotHolders: writer.slotHolders })
  const listers = createListers(database)
  const blobs = file === ':memory:' ? createMemoryBlobs() : createFileBlobs(join(opened.directory, 'blobs'))
  const watching = createWatching(database, hints, opened.poll ?? realPoll)
  let closed = false
  const check = (at: number): void => {
    if (closed) throw new SagasmithError('store_closed')
    assert(at === partition, `a SQLite store has only partition ${partition}, found ${at}`)
  }
  const read = async <Answer>(at: number, operation: () => Answer): Promise<Answer> => {
    check(at)
    try {
      return operation()
    } catch (thrown) {
      throw sqliteFailure(thrown, file)
    }
  }
  return {
    info: infoOf(database, opened, writer.epoch()),
    // Opening has done it already: statements can't be prepared for an older form.
    migrate: () => read(partition, () => undefined),
    async commit(at, checkpoints) {
      check(at)
      const [only] = checkpoints
      // Most callers have one; waiting for a list of one costs more than it looks.
      if (only !== undefined && checkpoints.length === 1)
        return [await group.add(weightOf(only), () => writer.commit(only))]
      return Promise.all(checkpoints.map((item) => group.add(weightOf(item), () => writer.commit(item))))
    },
    async claim(request) {
      check(request.partition)
      return group.add(request.limit, () => claims.claim(request))
    },
    async renew(request) {
      check(request.partition)
      return group.add(request.leases.length + 1, () => writer.renew(request))
    },
    listExpired: (query) => read(query.partition, () => claims.listExpired(query)),
    listDue: (query) => read(query.partition, () => claims.listDue(query)),
    load: (at, kind, input) => read(at, () => loaders[kind](input)),
    list: (at, kind, query) => read(at, () => listers[kind](query.filter, query.page)),
    readEvents: (query) => read(query.after.partition, () => writer.events.read(query)),
    watch: (at, hint) => {
      check(at)
      return watching.watch(hint)
    },
    async putBlob(bytes) {
      check(partition)
      return blobs.put(bytes)
    },
    async getBlob(name) {
      check(partition)
      return blobs.get(name)
    },
    async close() {
      if (closed) return
      closed = true
      watching.stop()
      group.drain()
      closeConnection(database, opened.holder)
    },
  }
}

/** Run, invocations and events: about the rows that a checkpoint writes. */
const weightOf = ({ writes, events }: Checkpoint): number =>
  writes.invocations.length + (events.length >> 2) + 1

function infoOf(database: Database, opened: Opened, epoch: number): StoreInfo {
  database
    .prepare("insert into meta (name, value) values ('store_id', ?) on conflict do nothing")
    .run(opened.storeId)
  const id = database.prepare("select value from meta where name = 'store_id'").pluck().get()
  return {
    id: storeId(String(id)),
    kind: 'sqlite',
    partitions: [partition],
    epochs: [epoch],
    multiProcess: opened.file !== ':memory:',
    cleanlyClosed: opened.cleanlyClosed,
  }
}

/** Own commits hint by themselves; what others write is noticed by the file's change counter. */
function createWatching(database: Database, hints: ReturnType<typeof createHints>, poll: PollPort) {
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  let stopPolling: (() => void) | null = null
  const stop = (): void => {
    stopPolling?.()
    stopPolling = null
  }
  const check = (): void => {
    const current = dataVersion.get()
    if (current === seen) return
    seen = current
    hints.notify()
  }
  return {
    stop,
    watch(hint: () => void): () => void {
      const unwatch = hints.watch(hint)
      stopPolling ??= poll(check, pollMs)
      return () => {
        unwatch()
        if (hints.count() === 0) stop()
      }
    },
  }
}

/** Leaves one small file behind: everything is moved out of the write-ahead log. */
function closeConnection(database: Database, holder: number): void {
  try {
    database.prepare('delete from holder where key = ?').run(holder)
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
