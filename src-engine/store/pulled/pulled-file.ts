/**
 * The file of pulled runs, beside the data file and never part of it: nothing in it is claimed, fires or is
 * pruned, and whatever is done to it leaves the runs of this machine alone.
 */

import { deflateSync, inflateSync } from 'node:zlib'
import type { DeadLetter } from '../../model/checkpoint.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { BlobHash, DefinitionHash, RunId, StoreId, WorkflowId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { ChainKind } from '../event-chain.ts'
import type { Database } from '../sqlite/connection.ts'
import { busyTimeoutMs, loadBinding, openConnection } from '../sqlite/connection.ts'
import { migrateDatabase } from '../sqlite/migrate.ts'
import { sqliteFailure } from '../sqlite/sqlite-errors.ts'
import { pulledMigrations } from './pulled-schema.ts'

/** The store that runs came from, as far as reading them needs it. */
export interface PulledOrigin {
  readonly id: StoreId
  readonly chain: ChainKind
  readonly partitions: number
}

/** One run as a pull leaves it. */
export interface PulledCopy {
  readonly origin: PulledOrigin
  readonly sealing: JsonValue
  readonly pulled: PulledRun
  readonly record: RunRecord
  /** JSON text of what it waited for when it was pulled. */
  readonly waiting: string
  /** Events that are new, by pages; behind those that are there, or (`isWhole`) instead of them. */
  readonly pages: readonly PulledPage[]
  readonly isWhole: boolean
  readonly versions: readonly WorkflowVersion[]
  readonly letters: readonly DeadLetter[]
  /** All that its events name and that came along. */
  readonly payloads: readonly BlobHash[]
}

/** A stretch of a run's events, compressed. */
export interface PulledPage {
  readonly lastEpoch: number
  readonly lastSeq: number
  readonly body: Uint8Array
}

export interface PulledFile {
  /** Those that were pulled last come first. */
  readonly list: () => readonly PulledRun[]
  readonly find: (runId: RunId) => PulledRun | null
  readonly record: (runId: RunId) => RunRecord | null
  readonly waiting: (runId: RunId) => string
  readonly originOf: (runId: RunId) => PulledOrigin | null
  /** What an origin says about the sealing of its values; null where it doesn't seal. */
  readonly sealingOf: (origin: StoreId) => JsonValue
  /** All events of a run after a place, a page at a time. */
  readonly pages: (
    runId: RunId,
    after: { readonly epoch: number; readonly seq: number },
  ) => Iterable<readonly EngineEvent[]>
  readonly version: (hash: DefinitionHash) => WorkflowVersion | null
  readonly versions: (workflowId: WorkflowId | null) => readonly WorkflowVersion[]
  readonly letters: (runId: RunId) => readonly DeadLetter[]
  /** The versions and payloads that belong to a run. */
  readonly named: (runId: RunId) => {
    readonly versions: readonly DefinitionHash[]
    readonly payloads: readonly BlobHash[]
  }
  readonly payload: (hash: BlobHash) => Uint8Array | null
  readonly hasPayload: (hash: BlobHash) => boolean
  /** Stays once a copy names it. */
  readonly putPayload: (hash: BlobHash, bytes: Uint8Array) => void
  /** The whole copy or nothing of it. */
  readonly keep: (copy: PulledCopy) => void
  /** Whether there was one. */
  readonly drop: (runId: RunId) => boolean
  /** Calls after each change; returns the way to stop. */
  readonly watch: (call: () => void) => () => void
  readonly close: () => void
}

/** Events as a page. */
export function pageOf(events: readonly EngineEvent[]): PulledPage {
  const last = events.at(-1)
  return {
    lastEpoch: last?.epoch ?? 0,
    lastSeq: last?.seq ?? 0,
    body: deflateSync(JSON.stringify(events)),
  }
}

/** Opens the file, new or not; `:memory:` lasts as long as the process. Throws as the data file does. */
export async function openPulledFile(file: string, now: Instant): Promise<PulledFile> {
  const binding = await loadBinding()
  let database: Database | null = null
  try {
    database = openConnection(binding, { file, durability: 'strict', busyTimeoutMs })
    migrateDatabase(database, { binding, file, migrations: pulledMigrations, now })
    return guarded(createPulledFile(database), file)
  } catch (thrown) {
    database?.close()
    throw sqliteFailure(thrown, file)
  }
}

/** What SQLite throws, in the engine's words. */
function guarded(pulled: PulledFile, file: string): PulledFile {
  const entries = Object.entries(pulled).map(([name, call]) => {
    const wrapped = (...input: readonly unknown[]): unknown => {
      try {
        return (call as (...given: readonly unknown[]) => unknown)(...input)
      } catch (thrown) {
        throw sqliteFailure(thrown, file)
      }
    }
    return [name, wrapped]
  })
  // The same methods under the same names.
  return Object.fromEntries(entries) as PulledFile
}

function createPulledFile(database: Database): PulledFile {
  const watchers = new Set<() => void>()
  const changed = (): void => {
    for (const call of watchers) queueMicrotask(call)
  }
  // What a pull brought along and didn't come to keep.
  sweep(database)
  const write = database.transaction((copy: PulledCopy) => writeCopy(database, copy))
  const remove = database.transaction((runId: RunId) => {
    const { changes } = database.prepare('delete from run where id = ?').run(runId)
    sweep(database)
    return changes > 0
  })
  const putPayload = database.prepare('insert or ignore into payload (hash, bytes) values (?, ?)')
  return {
    ...createReading(database),
    putPayload: (hash, bytes) => void putPayload.run(hash, bytes),
    keep: (copy) => {
      write.immediate(copy)
      changed()
    },
    drop: (runId) => {
      const was = remove.immediate(runId)
      if (was) changed()
      return was
    },
    watch: (call) => {
      watchers.add(call)
      return () => void watchers.delete(call)
    },
    close: () => database.close(),
  }
}

type Reading = Omit<PulledFile, 'putPayload' | 'keep' | 'drop' | 'watch' | 'close'>

function createReading(database: Database): Reading {
  const text = <Input extends readonly unknown[]>(sql: string) =>
    database.prepare<[...Input], string>(sql).pluck()
  const pulledOf = text<[RunId]>('select pulled from run where id = ?')
  const recordOf = text<[RunId]>('select record from run where id = ?')
  const waitingOf = text<[RunId]>('select waiting from run where id = ?')
  const originOf = database.prepare<[RunId], PulledOrigin>(
    'select o.id, o.chain, o.partitions from run r join origin o on o.id = r.origin_id where r.id = ?',
  )
  const sealingOf = database
    .prepare<[StoreId], string | null>('select sealing from origin where id = ?')
    .pluck()
  const versionOf = text<[DefinitionHash]>('select body from version where hash = ?')
  const lettersOf = text<[RunId]>(
    'select l.body from run r join letter l on l.run_key = r.key where r.id = ? order by l.id',
  )
  const versionsOf = database
    .prepare<[RunId], DefinitionHash>(
      'select v.hash from run r join run_version v on v.run_key = r.key where r.id = ? order by v.hash',
    )
    .pluck()
  const payloadsOf = database
    .prepare<[RunId], BlobHash>(
      'select p.hash from run r join run_payload p on p.run_key = r.key where r.id = ? order by p.hash',
    )
    .pluck()
  const payloadOf = database
    .prepare<[BlobHash], Uint8Array>('select bytes from payload where hash = ?')
    .pluck()
  const hasPayload = database.prepare('select 1 from payload where hash = ?').pluck()
  // What was written as JSON by `keep` is what is read.
  const parsed = <Item>(json: string | undefined): Item | null =>
    json === undefined ? null : (JSON.parse(json) as Item)
  return {
    list: () =>
      text('select pulled from run')
        .all()
        .map((json) => JSON.parse(json) as PulledRun)
        .sort((a, b) => b.origin.pulledAt - a.origin.pulledAt || (a.runId < b.runId ? -1 : 1)),
    find: (runId) => parsed<PulledRun>(pulledOf.get(runId)),
    record: (runId) => parsed<RunRecord>(recordOf.get(runId)),
    waiting: (runId) => waitingOf.get(runId) ?? '[]',
    originOf: (runId) => originOf.get(runId) ?? null,
    sealingOf: (origin) => parsed<JsonValue>(sealingOf.get(origin) ?? undefined),
    pages: (runId, after) => pagesOf(database, runId, after),
    version: (hash) => parsed<WorkflowVersion>(versionOf.get(hash)),
    versions: (workflowId) =>
      database
        .prepare<[string | null], string>(
          'select body from version where ?1 is null or workflow_id = ?1 order by rowid desc',
        )
        .pluck()
        .all(workflowId)
        .map((json) => JSON.parse(json) as WorkflowVersion),
    letters: (runId) => lettersOf.all(runId).map((json) => JSON.parse(json) as DeadLetter),
    named: (runId) => ({ versions: versionsOf.all(runId), payloads: payloadsOf.all(runId) }),
    payload: (hash) => payloadOf.get(hash) ?? null,
    hasPayload: (hash) => hasPayload.get(hash) !== undefined,
  }
}

function* pagesOf(
  database: Database,
  runId: RunId,
  { epoch, seq }: { readonly epoch: number; readonly seq: number },
): Iterable<readonly EngineEvent[]> {
  const places = database
    .prepare<[RunId, number, number], { readonly run_key: number; readonly place: number }>(
      `select p.run_key, p.place from run r join page p on p.run_key = r.key
       where r.id = ? and (p.last_epoch, p.last_seq) > (?, ?) order by p.place`,
    )
    .all(runId, epoch, seq)
  const bodyOf = database
    .prepare<[number, number], Uint8Array>('select body from page where run_key = ? and place = ?')
    .pluck()
  for (const { run_key: key, place } of places) {
    const body = bodyOf.get(key, place)
    // Dropped meanwhile.
    if (body === undefined) return
    const events = JSON.parse(inflateSync(body).toString('utf8')) as readonly EngineEvent[]
    yield events.filter((event) => event.epoch > epoch || (event.epoch === epoch && event.seq > seq))
  }
}

function writeCopy(database: Database, copy: PulledCopy): void {
  const { origin, sealing, pulled, record, waiting, pages, isWhole, versions, letters, payloads } = copy
  database
    .prepare(
      `insert into origin (id, chain, partitions, sealing) values (?, ?, ?, ?)
       on conflict (id) do update set sealing = excluded.sealing`,
    )
    .run(origin.id, origin.chain, origin.partitions, sealing === null ? null : JSON.stringify(sealing))
  const key = database
    .prepare<[string, string, string, string, string], number>(
      `insert into run (id, origin_id, pulled, record, waiting) values (?, ?, ?, ?, ?)
       on conflict (id) do update set pulled = excluded.pulled, record = excluded.record,
         waiting = excluded.waiting
       returning key`,
    )
    .pluck()
    .get(pulled.runId, origin.id, JSON.stringify(pulled), JSON.stringify(record), waiting)
  if (isWhole) database.prepare('delete from page where run_key = ?').run(key)
  const before = database
    .prepare<[unknown], number>('select coalesce(max(place) + 1, 0) from page where run_key = ?')
    .pluck()
    .get(key)
  const addPage = database.prepare(
    'insert into page (run_key, place, last_epoch, last_seq, body) values (?, ?, ?, ?, ?)',
  )
  for (const [index, { lastEpoch, lastSeq, body }] of pages.entries()) {
    addPage.run(key, (before ?? 0) + index, lastEpoch, lastSeq, body)
  }
  for (const table of ['run_version', 'letter', 'run_payload']) {
    database.prepare(`delete from ${table} where run_key = ?`).run(key)
  }
  const addVersion = database.prepare(
    'insert or ignore into version (hash, workflow_id, body) values (?, ?, ?)',
  )
  const nameVersion = database.prepare('insert into run_version (run_key, hash) values (?, ?)')
  for (const version of versions) {
    addVersion.run(version.hash, version.workflowId, JSON.stringify(version))
    nameVersion.run(key, version.hash)
  }
  const addLetter = database.prepare('insert into letter (run_key, id, body) values (?, ?, ?)')
  for (const letter of letters) addLetter.run(key, letter.id, JSON.stringify(letter))
  const namePayload = database.prepare('insert or ignore into run_payload (run_key, hash) values (?, ?)')
  for (const hash of payloads) namePayload.run(key, hash)
}

/** What no copy names. */
function sweep(database: Database): void {
  database.exec(`
    delete from payload where hash not in (select hash from run_payload);
    delete from version where hash not in (select hash from run_version);
    delete from origin where id not in (select origin_id from run);
  `)
}
