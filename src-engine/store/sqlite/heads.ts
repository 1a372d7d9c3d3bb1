/**
 * The runs that are under way, as their events tell them, kept in memory: the next checkpoint is checked
 * against these. Another process may write to the same file: SQLite tells whether one did, and then the runs
 * that its events tell of are forgotten and read again when they are needed.
 */

import type { InvocationId, OpId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Database } from './connection.ts'
import type { EventReader } from './event-reader.ts'

export interface KnownInvocation {
  record: InvocationRecord
  /** Its row among the work; 0 when it has none. */
  workKey: number
}

export interface KnownRun {
  readonly key: number
  version: number
  status: RunStatus
  /** Which checkpoint of this connection wrote it last, and whose; null when none is known. */
  lastOp: OpId | null
  lastActor: string | null
  /** In order of registration. */
  readonly invocations: Map<InvocationId, KnownInvocation>
}

/** Beyond either everything is forgotten; events bring back what is needed. */
const runsMax = 5_000
const invocationsMax = 200_000
/** Counting is worth it once in so many runs. */
const runsPerCount = 500

interface WorkRow {
  readonly key: number
  readonly id: InvocationId
  readonly lease_expires_at: number | null
}

export interface Heads {
  readonly run: (id: RunId) => KnownRun | null
  /** The same for those who only read: what isn't known isn't kept. */
  readonly look: (id: RunId) => KnownRun | null
  readonly invocation: (id: InvocationId, runId?: RunId) => KnownInvocation | null
  /** A run that is being made: nothing else of it exists. */
  readonly begin: (record: RunRecord, key: number) => KnownRun
  readonly forget: (id: RunId) => void
  readonly forgetAll: () => void
  /** Forgets when there is too much; between operations only, because they hold on to what they know. */
  readonly trim: () => void
  /** Another process wrote: what it told after the position is forgotten, what it renewed is noted. */
  readonly catchUp: (position: number) => void
}

/** Nothing known yet. */
export function createHeads(database: Database, events: EventReader): Heads {
  const runs = new Map<RunId, KnownRun>()
  const load = prepareLoad(database, events)
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
  let keptSinceCount = 0
  const keep = (id: RunId, run: KnownRun): void => {
    runs.set(id, run)
    keptSinceCount += 1
  }
  const run = (id: RunId): KnownRun | null => {
    const known = runs.get(id)
    if (known !== undefined) return known
    const loaded = load(id)
    if (loaded !== null) keep(id, loaded)
    return loaded
  }
  return {
    run,
    look: (id) => runs.get(id) ?? load(id),
    invocation: (id, runId = runIdOf(id)) => run(runId)?.invocations.get(id) ?? null,
    begin(record, key) {
      const begun = {
        key,
        version: record.version,
        status: record.status,
        lastOp: null,
        lastActor: null,
        invocations: new Map(),
      }
      keep(record.id, begun)
      return begun
    },
    forget(id) {
      runs.delete(id)
    },
    forgetAll() {
      runs.clear()
    },
    trim() {
      if (keptSinceCount < runsPerCount) return
      keptSinceCount = 0
      let invocations = 0
      for (const known of runs.values()) invocations += known.invocations.size
      if (runs.size > runsMax || invocations > invocationsMax) runs.clear()
    },
    catchUp(position) {
      const current = prunes.get() ?? ''
      if (current !== prunesSeen) {
        // A removed run has no event that tells of it.
        prunesSeen = current
        runs.clear()
        return
      }
      for (const id of changedSince.all(position)) runs.delete(id)
      for (const row of owned.all()) noteWork(runs.get(runIdOf(row.id))?.invocations.get(row.id), row)
    },
  }
}

/** A run as its events tell it, with the rows of its work. */
function prepareLoad(database: Database, events: EventReader): (id: RunId) => KnownRun | null {
  const keyOf = database.prepare<[string], number>('select key from run where id = ?').pluck()
  const workOf = database.prepare<[number], WorkRow>(
    'select key, id, lease_expires_at from work where run_key = ?',
  )
  return (id) => {
    const key = keyOf.get(id)
    if (key === undefined) return null
    const state = events.recordsOf(key, id)
    assert(state.run !== null, `the events of the run ${id} begin with its record`)
    const invocations = new Map<InvocationId, KnownInvocation>()
    for (const [at, record] of state.invocations) invocations.set(at, { record, workKey: 0 })
    for (const row of workOf.all(key)) noteWork(invocations.get(row.id), row)
    return {
      key,
      version: state.run.version,
      status: state.run.status,
      lastOp: null,
      lastActor: null,
      invocations,
    }
  }
}

/** Events tell a lease as it began; its row knows how often it was renewed. */
function noteWork(known: KnownInvocation | undefined, row: WorkRow): void {
  if (known === undefined) return
  known.workKey = row.key
  const { lease } = known.record
  const expiresAt = row.lease_expires_at
  if (lease === null || expiresAt === null || lease.expiresAt === expiresAt) return
  known.record = { ...known.record, lease: { ...lease, expiresAt } }
}
