/**
 * The runs that are under way, as their events tell them, kept in memory: the next checkpoint is checked
 * against these. Another process may write to the same file: SQLite tells whether one did, and then the runs
 * that its events tell of are forgotten and read again when they are needed.
 */

import type { PackedRecords } from '../../model/event-codec.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Database } from './connection.ts'
import type { EventReader } from './event-reader.ts'
import type { KnownInvocation, KnownRun, KnownRuns } from './known-runs.ts'
import { createKnownRuns } from './known-runs.ts'
import { createNewestRun } from './newest-run.ts'
import { workPerRun } from './schema.ts'

interface WorkRow {
  readonly key: number
  readonly id: InvocationId
  readonly lease_expires_at: number | null
}

/** Work that a query found: its run by key, so that it needn't be looked for. */
export interface FoundWork {
  readonly id: InvocationId
  readonly run_key: number
}

export interface Heads {
  readonly run: (id: RunId) => KnownRun | null
  /** The same for those who only read: what isn't known isn't kept for long. */
  readonly look: (id: RunId) => KnownRun | null
  readonly invocation: (id: InvocationId, runId?: RunId) => KnownInvocation | null
  /** The records of work, its unknown runs read together; `keep` for those who are about to write them. */
  readonly records: (found: readonly FoundWork[], keep: boolean) => readonly InvocationRecord[]
  /** A run that is being made, with these invocations: nothing else of it exists. */
  readonly begin: (record: RunRecord, key: number, invocations: readonly InvocationRecord[]) => KnownRun
  readonly forget: (id: RunId) => void
  readonly forgetAll: () => void
  /** Forgets what is too much; between operations only, because they hold on to what they know. */
  readonly trim: () => void
  /**
   * Another process wrote: what it told after the position is forgotten, what it renewed is noted. Tells whether there
   * was something that no event tells of.
   */
  readonly catchUp: (position: number) => boolean
}

/** Nothing known yet; `settle` writes the rows that wait. */
export function createHeads(database: Database, events: EventReader, settle: () => void): Heads {
  const runs = createKnownRuns()
  const newest = createNewestRun(database)
  /** Asked for last, and what was found: a checkpoint asks for its run several times, made or not. */
  let asked: RunId | null = null
  let answer: KnownRun | null = null
  const unask = (): void => {
    asked = null
    answer = null
  }
  const { load, loadAll } = prepareLoad(database, events, settle)
  const catchUp = prepareCatchUp(database, runs)
  const run = (id: RunId): KnownRun | null => {
    if (id === asked) return answer
    asked = id
    // Of a run that is being made nothing is known: three look-ups in vain would be a good part of its making.
    answer = newest.isKnownBelow(id) ? null : (runs.get(id) ?? null)
    if (answer === null && !newest.isBelow(id)) {
      answer = load(id)
      if (answer !== null) runs.set(id, answer)
    }
    return answer
  }
  return {
    run,
    look(id) {
      const known = runs.get(id)
      if (known !== undefined) return known
      const loaded = load(id)
      if (loaded !== null) runs.setRead(id, loaded)
      return loaded
    },
    invocation: (id, runId = runIdOf(id)) => run(runId)?.invocations.get(id) ?? null,
    records: prepareRecords(runs, loadAll),
    begin(record, key, invocations) {
      const begun = knownOf(key, { record, invocations: new Map() })
      if (invocations.some(({ lease }) => lease !== null)) runs.set(record.id, begun)
      else runs.setWaiting(record.id, begun, invocations.length)
      newest.made(record.id)
      asked = record.id
      answer = begun
      return begun
    },
    forget(id) {
      unask()
      runs.delete(id)
    },
    forgetAll() {
      unask()
      newest.forget()
      runs.clear()
    },
    trim() {
      // Between operations another process may make it.
      unask()
      runs.trim()
    },
    catchUp(position) {
      unask()
      newest.forget()
      return catchUp(position)
    },
  }
}

function prepareRecords(runs: KnownRuns, loadAll: Load['loadAll']): Heads['records'] {
  return (found, wanted) => {
    const loaded = loadAll(found, (id) => runs.get(id) === undefined)
    if (wanted) for (const [id, fresh] of loaded) runs.set(id, fresh)
    return found.map(({ id }) => {
      const runId = runIdOf(id)
      const known = (runs.get(runId) ?? loaded.get(runId))?.invocations.get(id)
      assert(known !== undefined, `the work ${id} is an invocation`)
      return known.record
    })
  }
}

function prepareCatchUp(database: Database, runs: KnownRuns): Heads['catchUp'] {
  const owned = database.prepare<[], WorkRow>(
    'select key, id, lease_expires_at from work indexed by work_owned where queue = 2',
  )
  const changedSince = database
    .prepare<[number], RunId>(
      `select distinct r.id from event_row e join run r on r.key = e.run_key where e.position > ?`,
    )
    .pluck()
  const prunes = database.prepare<[], string>("select value from meta where name = 'prunes'").pluck()
  let prunesSeen = prunes.get() ?? ''
  return (position) => {
    const current = prunes.get() ?? ''
    if (current !== prunesSeen) {
      // A removed run has no event that tells of it.
      prunesSeen = current
      runs.clear()
      return true
    }
    for (const id of changedSince.all(position)) runs.delete(id)
    for (const row of owned.all()) noteWork(runs.get(runIdOf(row.id)), row)
    return false
  }
}

interface Load {
  readonly load: (id: RunId) => KnownRun | null
  /** Of the runs that the work belongs to, those that are wanted. */
  readonly loadAll: (
    found: readonly FoundWork[],
    isWanted: (id: RunId) => boolean,
  ) => ReadonlyMap<RunId, KnownRun>
}

const none: ReadonlyMap<RunId, KnownRun> = new Map()

/** A run as its events tell it, with the rows of its work. */
function prepareLoad(database: Database, events: EventReader, settle: () => void): Load {
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  const workOf = database.prepare<[number, number], WorkRow>(
    'select key, id, lease_expires_at from work where key between ? and ?',
  )
  const workOfAll = database.prepare<[string], WorkRow>(
    `select w.key, w.id, w.lease_expires_at from json_each(?) k
     cross join work w on w.key between k.value * ${workPerRun} and k.value * ${workPerRun} + ${workPerRun - 1}`,
  )
  return {
    load(id) {
      const key = keyOf.get(id)
      // A run whose row waits is known: only one that ended in this very transaction may have others that do.
      if (key === undefined) return null
      settle()
      const known = toldOf(key, events.recordsOf(key, id))
      const first = key * workPerRun
      for (const row of workOf.all(first, first + workPerRun - 1)) noteWork(known, row)
      return known
    },
    loadAll(found, isWanted) {
      const idByKey = new Map<number, RunId>()
      for (const { id, run_key: key } of found) {
        const runId = runIdOf(id)
        if (!idByKey.has(key) && isWanted(runId)) idByKey.set(key, runId)
      }
      if (idByKey.size === 0) return none
      settle()
      const loaded = new Map<RunId, KnownRun>()
      for (const [key, records] of events.recordsOfAll(idByKey)) {
        loaded.set(idByKey.get(key) as RunId, toldOf(key, records))
      }
      for (const row of workOfAll.all(JSON.stringify([...idByKey.keys()]))) {
        noteWork(loaded.get(runIdOf(row.id)), row)
      }
      return loaded
    },
  }
}

function toldOf(key: number, { run, invocations }: PackedRecords): KnownRun {
  assert(run !== null, `the events of the run with the key ${key} begin with its record`)
  const known = new Map<InvocationId, KnownInvocation>()
  for (const [id, record] of invocations) known.set(id, { record, workKey: 0 })
  return { ...knownOf(key, { record: run, invocations: known }), told: run }
}

function knownOf(
  key: number,
  { record, invocations }: { readonly record: RunRecord; readonly invocations: KnownRun['invocations'] },
): KnownRun {
  return {
    key,
    version: record.version,
    status: record.status,
    lastOp: null,
    lastActor: null,
    told: null,
    nextWork: 0,
    invocations,
  }
}

/** Events tell a lease as it began; its row knows how often it was renewed. */
function noteWork(run: KnownRun | undefined, row: WorkRow): void {
  const known = run?.invocations.get(row.id)
  if (run === undefined || known === undefined) return
  run.nextWork = Math.max(run.nextWork, (row.key % workPerRun) + 1)
  known.workKey = row.key
  const { lease } = known.record
  const expiresAt = row.lease_expires_at
  if (lease === null || expiresAt === null || lease.expiresAt === expiresAt) return
  known.record = { ...known.record, lease: { ...lease, expiresAt } }
}
