/** The store on a Redis Cluster, or on one Redis server: each call is about the partition that it names. */

import type { Checkpoint, CommitAnswer } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { StoreId } from '../../model/ids.ts'
import { assert } from '../../model/result.ts'
import type { PruneAnswer, PruneRequest } from '../pruning.ts'
import type { RawStore } from '../raw-store.ts'
import type { EventQuery } from '../store.ts'
import { withCallDeadline } from './call-deadline.ts'
import { checkServers } from './check-servers.ts'
import { claimWork, fetchWork, glanceAtWork } from './claims.ts'
import { readEvents, readGroups } from './event-reader.ts'
import { failoverSafety } from './failover-safety.ts'
import { knownStore } from './journal/known-stores.ts'
import { adoptJournals, heldApplier, nothingClaimed, patientApplier } from './journal/store-journal.ts'
import type { WriteJournal } from './journal/write-journal.ts'
import { listDue, listExpired, renewLeases } from './leases.ts'
import { listers } from './listers.ts'
import { loaders } from './loaders.ts'
import { addNamedBlobs } from './named-blobs.ts'
import { createPlacing } from './placing.ts'
import { neededFor, pruneOps, pruneRuns } from './prune.ts'
import { pruneShapes } from './prune-shapes.ts'
import type { RedisBlobs } from './redis-blobs.ts'
import type { RedisOptions } from './redis-options.ts'
import { commandMsDefault, openAccess, patienceMsDefault } from './redis-options.ts'
import type { Router } from './router.ts'
import { openRouter } from './router.ts'
import { openHeads } from './sentinel.ts'
import { releaseSlots, takeSlots } from './slots-elsewhere.ts'
import type { Opened, Part } from './store-parts.ts'
import { putTogether } from './store-parts.ts'
import { inBatches } from './unit-batches.ts'

/** Connects, checks the servers, and opens the store that is there; makes it where there never was one. */
export async function openRedisStore(options: RedisOptions): Promise<RawStore> {
  const { nodes, access = openAccess, prefix = 'sagasmith', clock } = options
  const { commandMs = commandMsDefault, patienceMs = patienceMsDefault } = options
  const router = await openRouter({ nodes, access, clock, commandMs, patienceMs })
  try {
    const safety = failoverSafety(
      options.durability ?? 'fast',
      await checkServers(router, options.opensPartly),
    )
    const knownBefore = options.knownBefore === true || isKnown(router, options, prefix)
    const heads = await openHeads(router, { ...options, prefix, knownBefore })
    const password = await access.password()
    const store = await createStore({
      router,
      heads,
      prefix,
      commandMs,
      options,
      safety,
      access: { ...access, password },
    })
    return withCallDeadline(store, options)
  } catch (thrown) {
    router.close()
    throw thrown
  }
}

/** Whether a process of this directory has worked on a store there. */
function isKnown(router: Router, { journal, nodes }: RedisOptions, prefix: string): boolean {
  const directory = journal?.directory ?? null
  if (directory === null) return false
  const seeds = nodes.map(({ host, port }) => `${host}:${port}`)
  return knownStore(directory, { prefix, nodes: [...router.topology().nodes, ...seeds] }) !== null
}

async function createStore(opened: Opened): Promise<RawStore> {
  const { router, options } = opened
  const { info, parts, applier, nextTag, blobs, watching, time, journal, stop } = putTogether(opened)
  if (journal !== null) await adoptJournals(journal, applier, parts)
  let closed = false
  const at = (partition: number): Part => {
    if (closed) throw new SagasmithError('store_closed')
    const part = parts[partition]
    assert(part !== undefined, `the store has ${parts.length} partitions, ${partition} is none of them`)
    return part
  }
  const claimApplier = heldApplier(applier, journal)
  // What a replica has before it counts is not lost.
  const takeApplier = inBatches(patientApplier(applier, opened.safety.mode === 'fast' ? journal : null))
  const giveApplier = inBatches(applier)
  const claimPartsOf = (part: Part) => ({ ...part, applier: claimApplier, nextTag })
  const isHeld = (partition: number): boolean => journal?.holds(partition) === true
  return {
    info,
    // Opening has looked at the form already.
    async migrate() {
      at(0)
    },
    async commit(partition, checkpoints) {
      return commitAll(at(partition), checkpoints)
    },
    fetch: async (request) => (isHeld(request.partition) ? [] : fetchWork(at(request.partition), request)),
    glance: (request) =>
      isHeld(request.partition) ? null : glanceAtWork(at(request.partition).state, request),
    claim: async (request) =>
      isHeld(request.partition) ? nothingClaimed : claimWork(claimPartsOf(at(request.partition)), request),
    async renew(request) {
      const { state } = at(request.partition)
      return renewLeases({ router, keys: state.keys, storeId: info.id, time }, request)
    },
    listExpired: async (query) => listExpired(at(query.partition).reader, query),
    listDue: async (query) => listDue(at(query.partition).reader, query),
    load: async (partition, kind, input) => loaders[kind](at(partition).reader, input),
    list: async (partition, kind, { filter, page }) => listers[kind](at(partition).reader, filter, page),
    readEvents: async (query) => readEventsOf(at(query.after.partition), query),
    readGroups: async (query) => readGroups(at(query.after.partition).reader, query),
    watch: (partition, hint, topic = 'events') =>
      watching.watch(at(partition).state.keys.partition, hint, topic),
    ...blobsOf(blobs, () => at(0)),
    async prune(request) {
      const { reader, state } = at(request.partition)
      const all = { router, storeId: info.id, clock: options.clock, parts, blobs }
      return pruneAll(all, { reader, state, applier, nextTag, request })
    },
    beginIn: placingOf(opened, parts),
    ...lossesOf(opened, journal),
    confirmAll: async (partition) => applier.confirm(at(partition).state),
    neededFor: (partition) => neededFor(at(partition).reader),
    renewerPassword: (options.access ?? openAccess).password,
    takeSlots: async (partition, request) =>
      takeSlots({ applier: takeApplier, state: at(partition).state, nextTag }, request),
    releaseSlots: async (partition, releases) =>
      releaseSlots({ applier: giveApplier, state: at(partition).state, nextTag }, releases),
    async close() {
      closed = true
      // What was committed before is answered; what is asked from now on is refused.
      await Promise.all(parts.map(({ writer }) => writer.idle()))
      stop()
    },
  }
}

/** Where an acknowledgment says nothing of replicas, and there are some. */
function lossesOf({ safety, router }: Opened, journal: WriteJournal | null): Pick<RawStore, 'watchLosses'> {
  const hasReplicas = safety.alone.length < router.topology().masters.length
  if (journal === null || safety.mode !== 'fast' || !hasReplicas) return {}
  return { watchLosses: () => journal.watchLosses() }
}

/** Who only reads isn't told of a new epoch; which one is the newest matters where there is an end. */
async function readEventsOf({ reader }: Part, query: EventQuery): Promise<readonly EngineEvent[]> {
  const newest = query.until === null ? 0 : (await loaders.feedEnd(reader, {})).epoch
  return readEvents(reader, query, newest)
}

async function commitAll(
  { writer }: Part,
  checkpoints: readonly Checkpoint[],
): Promise<readonly CommitAnswer[]> {
  const [only] = checkpoints
  // A step is one, mostly.
  if (only !== undefined && checkpoints.length === 1) return [await writer.commit(only)]
  return Promise.all(checkpoints.map((checkpoint) => writer.commit(checkpoint)))
}

const placingOf = ({ router, options }: Opened, parts: readonly Part[]): (() => ReadonlySet<number>) =>
  createPlacing({ router, slots: parts.map(({ state }) => state.keys.slot), writerId: options.writerId })

interface PruneAllParts {
  readonly router: Router
  readonly storeId: StoreId
  readonly clock: RedisOptions['clock']
  readonly parts: readonly Part[]
  readonly blobs: RedisBlobs
}

async function pruneAll(
  { router, storeId, clock, parts, blobs }: PruneAllParts,
  { request, ...one }: Parameters<typeof pruneRuns>[0] & { readonly request: PruneRequest },
): Promise<PruneAnswer> {
  const answer = await pruneRuns(one, request)
  await pruneOps(one.reader, clock.now())
  await pruneShapes({ router, storeId, clock, ...one })
  if (request.blobsBefore === null) return { ...answer, blobs: 0 }
  const named = new Set<string>()
  if (await blobs.isAnyOlder(request.blobsBefore)) {
    // Blobs are common to all partitions.
    for (const { reader } of parts) await addNamedBlobs(reader, named)
  }
  return { ...answer, blobs: await blobs.sweep(request.blobsBefore, (hash) => named.has(hash)) }
}

/** `check` throws once the store is closed. */
function blobsOf(
  blobs: Pick<RedisBlobs, 'put' | 'get' | 'drop'>,
  check: () => unknown,
): Pick<RawStore, 'putBlob' | 'getBlob' | 'dropBlobs'> {
  return {
    async putBlob(bytes) {
      check()
      return blobs.put(bytes)
    },
    async getBlob(hash) {
      check()
      return blobs.get(hash)
    },
    async dropBlobs(hashes) {
      check()
      await blobs.drop(hashes)
    },
  }
}
