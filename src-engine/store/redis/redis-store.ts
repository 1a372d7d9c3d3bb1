/** The store on a Redis Cluster, or on one Redis server: each call is about the partition that it names. */

import { SagasmithError } from '../../model/errors.ts'
import { assert } from '../../model/result.ts'
import { createLastOps } from '../last-ops.ts'
import type { RawStore } from '../raw-store.ts'
import type { PruneAnswer, PruneRequest, StoreInfo } from '../store.ts'
import type { Applier } from './apply.ts'
import { createApplier } from './apply.ts'
import { checkServers } from './check-servers.ts'
import { claimWork, fetchWork } from './claims.ts'
import { readEvents } from './event-reader.ts'
import { partitionKeys } from './layout.ts'
import { listDue, listExpired, renewLeases } from './leases.ts'
import { listers } from './listers.ts'
import { loaders } from './loaders.ts'
import { addNamedBlobs } from './named-blobs.ts'
import { PartitionReader } from './partition-reader.ts'
import type { PartitionState } from './partition-state.ts'
import { newPartitionState } from './partition-state.ts'
import type { PartitionWriter } from './partition-writer.ts'
import { createPartitionWriter } from './partition-writer.ts'
import { pruneOps, pruneRuns } from './prune.ts'
import type { RedisBlobs } from './redis-blobs.ts'
import { createRedisBlobs } from './redis-blobs.ts'
import type { RedisOptions } from './redis-options.ts'
import { commandMsDefault, openAccess, patienceMsDefault } from './redis-options.ts'
import type { RedisRenewerAddress } from './renewer-address.ts'
import type { Router } from './router.ts'
import { openRouter } from './router.ts'
import type { Head } from './sentinel.ts'
import { openHeads } from './sentinel.ts'
import { releaseSlots, takeSlots } from './slots-elsewhere.ts'
import { createTags } from './tokens.ts'
import type { Watching } from './watching.ts'
import { createWatching } from './watching.ts'

/** Connects, checks the servers, and opens the store that is there; makes it where there never was one. */
export async function openRedisStore(options: RedisOptions): Promise<RawStore> {
  const { nodes, access = openAccess, prefix = 'sagasmith', clock } = options
  const { commandMs = commandMsDefault, patienceMs = patienceMsDefault } = options
  const router = await openRouter({ nodes, access, clock, commandMs, patienceMs })
  try {
    await checkServers(router)
    const heads = await openHeads(router, { ...options, prefix })
    const password = await access.password()
    return createStore({ router, heads, prefix, commandMs, options, access: { ...access, password } })
  } catch (thrown) {
    router.close()
    throw thrown
  }
}

interface Opened {
  readonly router: Router
  readonly heads: readonly Head[]
  readonly prefix: string
  readonly commandMs: number
  readonly options: RedisOptions
  readonly access: Pick<RedisRenewerAddress, 'username' | 'password' | 'tls'>
}

/** One partition, as calls meet it. */
interface Part {
  readonly reader: PartitionReader
  readonly state: PartitionState
  readonly writer: PartitionWriter
}

function createStore(opened: Opened): RawStore {
  const { router, options, prefix } = opened
  const info = infoOf(opened)
  const readers = info.partitions.map(
    (partition) => new PartitionReader(router, partitionKeys(prefix, partition)),
  )
  const watching = createWatching(readers, { heads: opened.heads, clock: options.clock })
  const applier = applierOf(opened, { info, watching })
  const nextTag = createTags(options.writerId)
  const parts = partsOf(opened, { readers, applier, nextTag })
  const blobs = createRedisBlobs({ router, prefix, clock: options.clock })
  let closed = false
  const at = (partition: number): Part => {
    if (closed) throw new SagasmithError('store_closed')
    const part = parts[partition]
    assert(part !== undefined, `the store has ${parts.length} partitions, ${partition} is none of them`)
    return part
  }
  const claimPartsOf = (part: Part) => ({ ...part, applier, nextTag })
  return {
    info,
    // Opening has looked at the form already.
    async migrate() {
      at(0)
    },
    async commit(partition, checkpoints) {
      const { writer } = at(partition)
      return Promise.all(checkpoints.map((checkpoint) => writer.commit(checkpoint)))
    },
    fetch: async (request) => fetchWork(at(request.partition).reader, request),
    claim: async (request) => claimWork(claimPartsOf(at(request.partition)), request),
    async renew(request) {
      const { state } = at(request.partition)
      return renewLeases({ router, keys: state.keys, storeId: info.id }, request)
    },
    listExpired: async (query) => listExpired(at(query.partition).reader, query),
    listDue: async (query) => listDue(at(query.partition).reader, query),
    load: async (partition, kind, input) => loaders[kind](at(partition).reader, input),
    list: async (partition, kind, { filter, page }) => listers[kind](at(partition).reader, filter, page),
    async readEvents(query) {
      const { reader, state } = at(query.after.partition)
      return readEvents(reader, query, state.epoch)
    },
    watch(partition, hint) {
      at(partition)
      return watching.watch(partition, hint)
    },
    async putBlob(bytes) {
      at(0)
      return blobs.put(bytes)
    },
    async getBlob(hash) {
      at(0)
      return blobs.get(hash)
    },
    async prune(request) {
      const { reader, state } = at(request.partition)
      return pruneAll({ parts, blobs, clock: options.clock }, { reader, state, applier, request })
    },
    takeSlots: async (partition, request) => takeSlots(applier, at(partition).state, request),
    releaseSlots: async (partition, releases) => releaseSlots(applier, at(partition).state, releases),
    async close() {
      closed = true
      watching.stop()
      router.close()
    },
  }
}

/** Epochs change while the store is open: readers of the info see it. */
type OwnInfo = StoreInfo & { readonly epochs: number[] }

function infoOf({ heads, options, prefix, access }: Opened): OwnInfo {
  const [home] = heads
  assert(home !== undefined, 'a store has at least one partition')
  return {
    id: home.id,
    kind: 'redis',
    partitions: heads.map((_, partition) => partition),
    epochs: heads.map(({ epoch }) => epoch),
    chain: 'sha256-sha1',
    multiProcess: true,
    // What a lost runner owned is told by its leases: nothing here needs a clean end.
    cleanlyClosed: true,
    renewer: {
      kind: 'redis',
      nodes: options.nodes,
      prefix,
      storeId: home.id,
      partitions: heads.length,
      username: access.username,
      password: access.password,
      tls: access.tls,
    },
  }
}

function applierOf(
  { router, options, commandMs }: Opened,
  { info, watching }: { readonly info: OwnInfo; readonly watching: Watching },
): Applier {
  return createApplier({
    router,
    storeId: info.id,
    clock: options.clock,
    durability: options.durability ?? 'fast',
    commandMs,
    onWritten: watching.wrote,
    onEpoch(partition, epoch) {
      info.epochs[partition] = epoch
    },
    onRollback: options.onRollback ?? (() => undefined),
  })
}

function partsOf(
  { router, heads }: Opened,
  tools: {
    readonly readers: readonly PartitionReader[]
    readonly applier: Applier
    readonly nextTag: () => string
  },
): readonly Part[] {
  const { readers, applier, nextTag } = tools
  const lastOps = createLastOps()
  return readers.map((reader, partition): Part => {
    const head = heads[partition]
    const state = newPartitionState(reader.keys, head?.epoch ?? 1, head?.seq ?? 0)
    return { reader, state, writer: createPartitionWriter({ router, state, applier, lastOps, nextTag }) }
  })
}

async function pruneAll(
  {
    parts,
    blobs,
    clock,
  }: { readonly parts: readonly Part[]; readonly blobs: RedisBlobs; readonly clock: RedisOptions['clock'] },
  { request, ...one }: Parameters<typeof pruneRuns>[0] & { readonly request: PruneRequest },
): Promise<PruneAnswer> {
  const answer = await pruneRuns(one, request)
  await pruneOps(one.reader, clock.now())
  if (request.blobsBefore === null) return { ...answer, blobs: 0 }
  const named = new Set<string>()
  if (await blobs.isAnyOlder(request.blobsBefore)) {
    // Blobs are common to all partitions.
    for (const { reader } of parts) await addNamedBlobs(reader, named)
  }
  return { ...answer, blobs: await blobs.sweep(request.blobsBefore, (hash) => named.has(hash)) }
}
