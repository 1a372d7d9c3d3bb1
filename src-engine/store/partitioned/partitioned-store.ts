/**
 * One store over many partitions: to the engine it is a store like any other. What belongs to a run is in the
 * run's partition, what belongs to none is at home or where its writer says, and what crosses partitions is
 * idempotent and repaired.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import type { RunId } from '../../model/ids.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { homePartition } from '../../model/partition.ts'
import type { Clock } from '../../model/ports.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Millis } from '../../model/time.ts'
import { claimInstants } from '../claim.ts'
import { compareDue } from '../due.ts'
import type { GroupQuery } from '../group-page.ts'
import { news, tells } from '../hints.ts'
import type { PruneAnswer, PruneOutside, PruneRequest } from '../pruning.ts'
import type { RawStore } from '../raw-store.ts'
import type { DueAnswer, RenewAnswer, RenewRequest, Store } from '../store.ts'
import { commitAll } from './commits.ts'
import { createHomePermits } from './home-permits.ts'
import { createLeftPermits } from './left-permits.ts'
import { createLists } from './lists.ts'
import { createLoads } from './loads.ts'
import type { Reach, ReachOptions } from './reach.ts'
import { createReach, soonMs } from './reach.ts'
import { createPermitRepair } from './repair.ts'
import type { Routes } from './routes.ts'
import { byPartition, createRoutes } from './routes.ts'
import type { WorkParts } from './work.ts'
import { claimAll, fetchAll } from './work.ts'
import { createWorkHints, wholeLookMs } from './work-hints.ts'

export interface PartitionedOptions extends ReachOptions {
  /** How long work may stay unseen that no hint told of. */
  readonly wholeLookMs?: Millis
  /** What permits that could not be given back wait by; the `clock` when absent. */
  readonly permitClock?: Pick<Clock, 'after'>
  /** A text that no other store object has on the same data; made up when absent, where all are in this process. */
  readonly writerId?: string
}

/** Store objects that were given no name. */
let unnamed = 0

/** Puts the partitions of a raw store together. Closing it closes the raw one. */
export function createPartitionedStore(raw: RawStore, options: PartitionedOptions = {}): Store {
  const routes = createRoutes(raw)
  const permits = createHomePermits(raw, routes, {
    writerId: options.writerId ?? `store${++unnamed}`,
    clock: options.permitClock ?? options.clock ?? null,
  })
  const hints = createWorkHints(routes.partitions, options.wholeLookMs ?? wholeLookMs)
  const reach = createReach(options)
  const { clock = null } = options
  const parts: WorkParts = { raw, routes, permits, clock, hints, reach, late: new Map() }
  const loads = createLoads(raw, routes, reach)
  const lists = createLists(raw, routes, reach)
  const repair = createPermitRepair(raw, routes, permits)
  const left = createLeftPermits(raw, routes, permits)
  const unwatch = routes.partitions.map((partition) =>
    raw.watch(partition, (_, found) => tells(found, news.work) && hints.note(partition), 'news'),
  )
  return {
    info: raw.info,
    migrate: () => raw.migrate(),
    async commit(_, checkpoints) {
      const answers = await commitAll(parts, checkpoints)
      for (const checkpoint of checkpoints) noteInstants(parts, checkpoint)
      return answers
    },
    fetch: (request) => fetchAll(parts, request),
    claim: (request) => claimAll(parts, request),
    renew: (request) => renewAll(raw, routes, request),
    async listExpired(query) {
      const pages = await reach.ask(routes.partitions, (partition) =>
        raw.listExpired({ ...query, partition }),
      )
      return pages
        .flatMap(({ answer }) => answer)
        .sort((a, b) => (a.lease?.expiresAt ?? 0) - (b.lease?.expiresAt ?? 0) || (a.id < b.id ? -1 : 1))
        .slice(0, query.limit)
    },
    listDue: (query) => listAllDue(parts, query),
    load: (partition, kind, input) => loads[kind](partition, input),
    list: (partition, kind, query) => lists[kind](partition, query),
    readEvents: (query) => raw.readEvents(query),
    ...(raw.readGroups === undefined
      ? {}
      : { readGroups: async (query: GroupQuery) => (await raw.readGroups?.(query)) ?? null }),
    watch(partition, hint, topic) {
      if (partition !== homePartition) return raw.watch(partition, hint, topic)
      // Who watches the home hears of all: services watch there.
      const stops = routes.partitions.map((each) => raw.watch(each, hint, topic))
      return () => {
        for (const stop of stops) stop()
      }
    },
    ...blobsOf(raw),
    prune: (request) => pruneAll(parts, request),
    ...(raw.renewerPassword === undefined ? {} : { renewerPassword: raw.renewerPassword }),
    missing: reach.missing,
    ...(raw.beginIn === undefined ? {} : { beginIn: beginWithin(reach, routes.partitions, raw.beginIn) }),
    ...confirmOf(raw, routes),
    async repair(now) {
      await permits.giveRest()
      return repair.run(now)
    },
    releaseLeft: left.release,
    async close() {
      permits.stop()
      for (const stop of unwatch) stop()
      await raw.close()
    },
  }
}

function confirmOf(raw: RawStore, routes: Routes): Pick<Store, 'confirm' | 'watchLosses'> {
  const { watchLosses } = raw
  const watched = watchLosses === undefined ? {} : { watchLosses }
  if (raw.confirmAll === undefined) return watched
  return {
    ...watched,
    confirm: async (runId) => raw.confirmAll?.(runId === null ? homePartition : routes.ofRun(runId)),
  }
}

/** A run that is begun where nobody answers would wait for that server: then any other place is as good. */
function beginWithin(reach: Reach, all: readonly number[], beginIn: () => ReadonlySet<number>) {
  const isThere = (partition: number): boolean => !reach.isAway(partition)
  return (): ReadonlySet<number> => {
    const best = beginIn()
    if (reach.missing().length === 0) return best
    const left = [...best].filter(isThere)
    return new Set(left.length > 0 ? left : all.filter(isThere))
  }
}

/** What becomes available later than now is looked for then; what was refused costs a look in vain. */
function noteInstants({ routes, hints }: WorkParts, { writes, at }: Checkpoint): void {
  for (const record of writes.invocations) {
    if (!invocationMachine.available.has(record.status)) continue
    for (const instant of claimInstants(record)) {
      if (instant > at) hints.noteInstant(routes.ofInvocation(record.id), instant)
    }
  }
}

/** The runner's own row is at home; its leases are renewed where they are. */
async function renewAll(raw: RawStore, routes: Routes, request: RenewRequest): Promise<RenewAnswer> {
  const groups = byPartition(request.leases, ({ invocationId }) => routes.ofInvocation(invocationId))
  const asked = new Map(groups)
  if (!asked.has(homePartition)) asked.set(homePartition, [])
  const answers = await Promise.all(
    [...asked].map(([partition, leases]) => raw.renew({ ...request, partition, leases })),
  )
  return {
    lost: answers.flatMap(({ lost }) => lost),
    cancelRequested: answers.flatMap(({ cancelRequested }) => cancelRequested),
  }
}

async function listAllDue(
  { raw, routes, hints, reach }: WorkParts,
  query: Parameters<Store['listDue']>[0],
): Promise<DueAnswer> {
  const found = await reach.ask(routes.partitions, async (partition) => {
    const answer = await raw.listDue({ ...query, partition })
    if (answer.nextAt !== null) hints.noteInstant(partition, answer.nextAt)
    return answer
  })
  const answers = found.map(({ answer }) => answer)
  const all = answers.flatMap(({ due }) => due).sort(compareDue)
  const due = all.slice(0, query.limit)
  const instants = answers.map(({ nextAt }) => nextAt).filter((at) => at !== null)
  // What a missing partition has to say is asked for soon.
  if (found.length < routes.partitions.length) instants.push(query.now + soonMs)
  const leftOver = all[query.limit]
  if (leftOver !== undefined) instants.push(leftOver.dueAt)
  return { due, nextAt: instants.length === 0 ? null : Math.min(...instants) }
}

/**
 * Each partition keeps its share of the newest; blobs are common to all, so they are swept once. What an open run
 * names stays, whichever partition either is in, so nothing goes while one of them can't be asked.
 */
async function pruneAll({ raw, routes, reach }: WorkParts, request: PruneRequest): Promise<PruneAnswer> {
  const share = 1 / routes.partitions.length
  const keep = request.keep === null ? null : Math.ceil(request.keep * share)
  const told = await reach.ask(routes.partitions, (partition) => raw.neededFor(partition))
  if (told.length < routes.partitions.length) return { runs: 0, blobs: 0, more: false }
  const outside: PruneOutside = {
    named: new Set(told.flatMap(({ answer }) => answer)),
    isOpen: (id) => isOpen(raw, routes.ofRun(id), id),
  }
  let runs = 0
  let more = false
  for (const partition of routes.partitions) {
    const limit = request.limit - runs
    if (limit <= 0) return { runs, blobs: 0, more: true }
    // One that is away is pruned when it is back.
    if (reach.isAway(partition)) continue
    const answer = await raw.prune({ ...request, partition, keep, limit, blobsBefore: null, outside })
    runs += answer.runs
    more ||= answer.more
  }
  if (request.blobsBefore === null || more) return { runs, blobs: 0, more }
  const { blobs } = await raw.prune({ ...request, partition: homePartition, keep, limit: 0 })
  return { runs, blobs, more }
}

async function isOpen(raw: RawStore, partition: number, id: RunId): Promise<boolean> {
  const run = await raw.load(partition, 'run', { runId: id })
  return run !== null && !runMachine.final.has(run.status)
}

/** They are common to all partitions. */
const blobsOf = (raw: RawStore): Pick<RawStore, 'putBlob' | 'getBlob' | 'dropBlobs'> => ({
  putBlob: (bytes) => raw.putBlob(bytes),
  getBlob: (hash) => raw.getBlob(hash),
  dropBlobs: (hashes) => raw.dropBlobs(hashes),
})
