/** The store contract on an open connection: writes go through the group commit, reads are answered at once. */

import { join } from 'node:path'
import type { Checkpoint, CommitAnswer } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import { storeId } from '../../model/ids.ts'
import { transactionRowsMax } from '../../model/limits.ts'
import { assert } from '../../model/result.ts'
import type { Instant } from '../../model/time.ts'
import type { Blobs } from '../blobs.ts'
import { createFileBlobs, createMemoryBlobs } from '../blobs.ts'
import type { Hints } from '../hints.ts'
import { createHints } from '../hints.ts'
import type { PruneAnswer, PruneRequest } from '../pruning.ts'
import type { Store, StoreInfo } from '../store.ts'
import type { BusyPauses } from './busy-pauses.ts'
import { createClaims } from './claims.ts'
import type { Database } from './connection.ts'
import type { GroupCommit, Operation } from './group-commit.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Pruning } from './prune.ts'
import { createPruning, rowsOfSlice, sliceRows } from './prune.ts'
import { createListers, createLoaders } from './queries.ts'
import { isBusy, sqliteFailure } from './sqlite-errors.ts'
import type { StoreClock } from './watching.ts'
import { createWatching } from './watching.ts'
import type { Writer } from './writer.ts'
import { createWriter } from './writer.ts'

/** A checked and migrated data file. */
export interface Opened {
  readonly directory: string
  readonly file: string
  readonly storeId: StoreId
  readonly clock: StoreClock
  readonly cleanlyClosed: boolean
  /** This connection's row among the holders. */
  readonly holder: number
  /** Told after each transaction how many writes shared it. */
  readonly onGroup?: (size: number) => void
  readonly pauses: BusyPauses
}

/** Writes to a partition inside the next transaction. */
type Write = <Answer>(at: number, weight: number, operation: Operation<Answer>) => Promise<Answer>

const partition = 0

export function createStore(database: Database, opened: Opened): Store {
  const { pauses } = opened
  const hints = createHints()
  const writer = createWriter(database)
  const claims = createClaims(database, writer)
  const watching = createWatching(database, hints, opened.clock)
  const group = groupCommitOf(database, { ...opened, writer, hints, wrote: watching.wrote })
  const loaders = createLoaders(database, writer)
  const listers = createListers(database, writer)
  const blobs = blobsOf(opened)
  const pruning = createPruning(database, writer)
  let closed = false
  const check = (at: number): void => {
    if (closed) throw new SagasmithError('store_closed')
    assert(at === partition, `a SQLite store has only partition ${partition}, found ${at}`)
  }
  /** Rejects, and never throws, when the store is closed or reading fails. */
  const read = <Answer>(at: number, operation: () => Answer | Promise<Answer>): Promise<Answer> =>
    readPatiently(opened, () => {
      check(at)
      writer.sync()
      return operation()
    })
  const write: Write = async (at, weight, operation) => {
    check(at)
    return group.add(weight, operation)
  }
  return {
    info: infoOf(database, opened, writer.epoch()),
    // Opening has done it already: statements can't be prepared for an older form.
    migrate: () => read(partition, () => undefined),
    commit(at, checkpoints) {
      try {
        check(at)
      } catch (thrown) {
        return Promise.reject(thrown)
      }
      return commitAll(group, writer, checkpoints)
    },
    claim: (request) => write(request.partition, request.limit, () => claims.claim(request)),
    fetch: (request) => read(request.partition, () => claims.fetch(request)),
    prune: (request) => {
      check(request.partition)
      return pruneInSlices({ pruning, blobs, write }, request)
    },
    renew: (request) => write(request.partition, request.leases.length + 1, () => writer.renew(request)),
    listExpired: (query) => read(query.partition, () => claims.listExpired(query)),
    listDue: (query) => read(query.partition, () => claims.listDue(query)),
    load: (at, kind, input) => read(at, () => loaders[kind](input)),
    list: (at, kind, query) => read(at, () => listers[kind](query.filter, query.page)),
    readEvents: (query) => read(query.after.partition, () => writer.events.read(query)),
    readGroups: (query) => read(query.after.partition, () => writer.groups(query)),
    watch(at, hint) {
      check(at)
      return watching.watch(hint)
    },
    putBlob: (bytes) => read(partition, () => blobs.put(bytes)),
    getBlob: (name) => read(partition, () => blobs.get(name)),
    dropBlobs: (names) => read(partition, () => blobs.drop(names)),
    async close() {
      if (closed) return
      closed = true
      watching.stop()
      // What still waits is written now or never.
      database.pragma(`busy_timeout = ${Math.ceil(pauses.timeoutMs)}`)
      group.drain()
      closeConnection(database, opened)
    },
  }
}

/** Readers don't wait for writers, but for whoever repairs the file after a crash. */
async function readPatiently<Answer>(
  { file, pauses }: Pick<Opened, 'file' | 'pauses'>,
  once: () => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let waitedMs = 0, tries = 0; ; tries += 1) {
    try {
      return await once()
    } catch (thrown) {
      if (!isBusy(thrown) || waitedMs >= pauses.timeoutMs) throw sqliteFailure(thrown, file)
    }
    const pauseMs = pauses.next(tries)
    await new Promise<void>((resolve) => pauses.after(pauseMs, resolve))
    waitedMs += pauses.blockedMs + pauseMs
  }
}

/** Each slice is a transaction of its own, so that nobody waits for the whole. */
async function pruneInSlices(
  store: {
    readonly pruning: Pruning
    readonly blobs: Blobs
    readonly write: Write
  },
  request: PruneRequest,
): Promise<PruneAnswer> {
  const { pruning, blobs, write } = store
  const found = pruning.candidates(request)
  const wanted = found.slice(0, Math.max(0, request.limit))
  for (let from = 0, done = false; !done; ) {
    const slice = await write(partition, sliceRows.alone, (others) =>
      pruning.slice(wanted.slice(from), rowsOfSlice(others)),
    )
    from += slice.runs
    done = slice.done && from >= wanted.length
  }
  const { blobsBefore } = request
  const swept = blobsBefore === null ? 0 : await sweepBlobs(blobs, pruning, blobsBefore)
  return { runs: wanted.length, blobs: swept, more: found.length > wanted.length }
}

const blobsOf = ({ file, directory, clock }: Opened): Blobs =>
  file === ':memory:' ? createMemoryBlobs(clock.now) : createFileBlobs(join(directory, 'blobs'), clock.now)

/** What is stored is looked through only when there is a blob old enough to go. */
function sweepBlobs(blobs: Blobs, pruning: Pruning, before: Instant): Promise<number> {
  let named: ReadonlySet<string> | null = null
  return blobs.sweep(before, (hash) => {
    named ??= pruning.namedBlobs()
    return named.has(hash)
  })
}

/** Every transaction starts by asking whether another process wrote, and ends by hinting. */
function groupCommitOf(
  database: Database,
  parts: {
    readonly writer: Writer
    readonly hints: Hints
    readonly wrote: () => void
  } & Pick<Opened, 'file' | 'onGroup' | 'pauses'>,
): GroupCommit {
  const { writer, hints, wrote, file, onGroup, pauses } = parts
  let end = 0
  return createGroupCommit(database, {
    weightMax: transactionRowsMax,
    pauses,
    begun: writer.sync,
    ending: writer.finish,
    undone: writer.forget,
    committed(size) {
      onGroup?.(size)
      const position = writer.position()
      if (position === end) return
      end = position
      wrote()
      hints.notify('own')
    },
    failure: (thrown) => sqliteFailure(thrown, file),
  })
}

function commitAll(
  group: GroupCommit,
  writer: Writer,
  checkpoints: readonly Checkpoint[],
): Promise<readonly CommitAnswer[]> {
  const [only] = checkpoints
  // Most callers have one, and every promise on the way costs.
  if (only !== undefined && checkpoints.length === 1)
    return group.add(weightOf(only), () => [writer.commit(only)])
  return Promise.all(checkpoints.map((item) => group.add(weightOf(item), () => writer.commit(item))))
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
    chain: 'sha256',
    multiProcess: opened.file !== ':memory:',
    cleanlyClosed: opened.cleanlyClosed,
    safety: null,
    renewer: opened.file === ':memory:' ? null : { kind: 'sqlite', file: opened.file },
  }
}

/** The last one leaves one small file behind: everything is moved out of the write-ahead log. */
function closeConnection(database: Database, { holder, file }: Opened): void {
  try {
    database.prepare('delete from holder where key = ?').run(holder)
    const others = database.prepare<[], number>('select count(*) from holder').pluck().get() ?? 0
    // Truncating waits until nobody reads or writes, which may be never while others work.
    database.pragma(others === 0 ? 'wal_checkpoint(TRUNCATE)' : 'wal_checkpoint(PASSIVE)')
  } catch (thrown) {
    throw sqliteFailure(thrown, file)
  } finally {
    database.close()
  }
}
