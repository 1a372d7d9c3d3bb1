/** What a store is put together from, once its servers were checked and its heads read. */

import type { FailoverSafety } from '../../model/failover-safety.ts'
import type { StoreId } from '../../model/ids.ts'
import { assert } from '../../model/result.ts'
import type { LastOps } from '../last-ops.ts'
import { createLastOps } from '../last-ops.ts'
import type { StoreInfo } from '../store.ts'
import type { Applier } from './apply.ts'
import { createApplier } from './apply.ts'
import { journalFolder, noteStore } from './journal/known-stores.ts'
import { WriteJournal } from './journal/write-journal.ts'
import { partitionKeys } from './layout.ts'
import type { LeaseTime } from './lease-time.ts'
import { callersTime, serverTime } from './lease-time.ts'
import { PartitionReader } from './partition-reader.ts'
import type { PartitionState } from './partition-state.ts'
import { newPartitionState, newSeenRooms } from './partition-state.ts'
import type { PartitionWriter } from './partition-writer.ts'
import { createPartitionWriter } from './partition-writer.ts'
import { noteElsewhere } from './queue-heads.ts'
import type { RedisBlobs } from './redis-blobs.ts'
import { createRedisBlobs } from './redis-blobs.ts'
import type { RedisOptions } from './redis-options.ts'
import { openAccess } from './redis-options.ts'
import type { RedisRenewerAddress } from './renewer-address.ts'
import type { Router } from './router.ts'
import { watchSafety } from './safety-watch.ts'
import type { Head } from './sentinel.ts'
import { takeSlots } from './slots-elsewhere.ts'
import { createSubscriber } from './subscriber.ts'
import { createTags } from './tokens.ts'
import { createTurn } from './turn.ts'
import type { Watching } from './watching.ts'
import { createWatching } from './watching.ts'

export interface Opened {
  readonly router: Router
  readonly heads: readonly Head[]
  readonly prefix: string
  readonly commandMs: number
  readonly options: RedisOptions
  readonly safety: FailoverSafety
  readonly access: Pick<RedisRenewerAddress, 'username' | 'password' | 'tls'>
}

/** One partition, as calls meet it. */
export interface Part {
  readonly reader: PartitionReader
  readonly state: PartitionState
  readonly writer: PartitionWriter
}

/** An open store's parts. */
export interface StoreParts {
  readonly info: StoreInfo
  readonly parts: readonly Part[]
  readonly applier: Applier
  readonly nextTag: () => string
  readonly time: LeaseTime
  readonly blobs: RedisBlobs
  readonly watching: Watching
  readonly journal: WriteJournal | null
  /** Ends what goes on by itself. */
  readonly stop: () => void
}

export function putTogether(opened: Opened): StoreParts {
  const { router, options, prefix } = opened
  const { clock, writerId } = options
  const info = infoOf(opened)
  const time = options.leaseTime === 'callers' ? callersTime : serverTime(clock)
  const readers = info.partitions.map(
    (partition) => new PartitionReader(router, partitionKeys(prefix, partition), time),
  )
  const subscriber = createSubscriber(router, {
    access: options.access ?? openAccess,
    clock,
    heard({ partition, writerId: by, found, ...end }) {
      if (by !== writerId) watching.heard(partition, end, found)
      const state = states[partition]
      if (journal !== null && state !== undefined && end.epoch > state.epoch) journal.meetAgain(state)
    },
  })
  const states = statesOf(opened, readers)
  const watching: Watching = createWatching(readers, {
    heads: opened.heads,
    clock,
    hear: subscriber.hear,
    elsewhere(partition, end) {
      const state = states[partition]
      if (state !== undefined) noteElsewhere(state, end)
    },
  })
  const lastOps = createLastOps()
  const journal = journalOf(opened, info.id, states)
  const applier = applierOf(opened, { info, watching, time, journal, lastOps })
  const nextTag = createTags(writerId)
  if (journal !== null) serveJournal(journal, { applier, clock, nextTag })
  const stopLooking = watchSafety({
    router,
    clock,
    safety: opened.safety,
    changed(safety) {
      info.safety = safety
      options.onSafety?.(safety)
    },
  })
  return {
    info,
    parts: partsOf(router, { readers, states, applier, lastOps, nextTag }),
    applier,
    nextTag,
    time,
    blobs: createRedisBlobs({ router, prefix, clock, nextTag }),
    watching,
    journal,
    stop() {
      stopLooking()
      watching.stop()
      journal?.close()
      subscriber.close()
      router.close()
    },
  }
}

function serveJournal(
  journal: WriteJournal,
  { applier, clock, nextTag }: Pick<StoreParts, 'applier' | 'nextTag'> & Pick<RedisOptions, 'clock'>,
): void {
  // What can't be reached now is met with the next write.
  journal.meetAgain = (state) => void applier.look(state).catch(() => undefined)
  journal.bringBackAgain = (state) => void applier.bringBack(state).catch(() => undefined)
  journal.takeAgain = async (state, takes) => {
    const slots = { applier: { apply: applier.applyNow }, state, nextTag }
    const { kind } = await takeSlots(slots, { takes, at: clock.now() })
    return kind === 'taken'
  }
}

/** Epochs change while the store is open, and so do replicas: readers of the info see it. */
type OwnInfo = Omit<StoreInfo, 'safety'> & { readonly epochs: number[]; safety: FailoverSafety }

function infoOf({ heads, options, prefix, access, safety }: Opened): OwnInfo {
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
    safety,
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
  { router, options, commandMs, safety }: Opened,
  tools: {
    readonly info: OwnInfo
    readonly watching: Watching
    readonly time: LeaseTime
    readonly journal: WriteJournal | null
    readonly lastOps: LastOps
  },
): Applier {
  const { info, watching, time, journal, lastOps } = tools
  return createApplier({
    time,
    journal,
    router,
    storeId: info.id,
    clock: options.clock,
    writerId: options.writerId,
    durability: safety.mode,
    commandMs,
    onWritten: watching.wrote,
    onEpoch(partition, epoch) {
      info.epochs[partition] = epoch
      // A version may come again after it was lost: nobody builds on what was written before.
      lastOps.clear()
    },
    onRollback: options.onRollback ?? (() => undefined),
  })
}

/** What replicas confirm before it counts is written down nowhere else: none of it is lost with this process. */
function journalOf(
  { router, options, safety, prefix }: Opened,
  storeId: StoreId,
  states: readonly PartitionState[],
): WriteJournal | null {
  const { clock, writerId, journal, nodes } = options
  if (journal === undefined) return null
  const { directory: root, onTrouble } = journal
  let persists = root !== null && safety.mode === 'fast'
  if (root !== null) {
    const seeds = nodes.map(({ host, port }) => `${host}:${port}`)
    try {
      noteStore(root, { storeId, prefix, nodes: [...router.topology().nodes, ...seeds] })
    } catch (thrown) {
      persists = false
      onTrouble(thrown)
    }
  }
  const directory = root === null ? null : journalFolder(root, storeId)
  return new WriteJournal({
    router,
    clock,
    storeId,
    writerId,
    states,
    options: { ...journal, directory },
    persists,
  })
}

function statesOf({ heads }: Opened, readers: readonly PartitionReader[]): readonly PartitionState[] {
  const rooms = newSeenRooms()
  return readers.map(({ keys }, partition) => {
    const { epoch = 1, seq = 0 } = heads[partition] ?? {}
    return newPartitionState(keys, { epoch, seq, rooms })
  })
}

function partsOf(
  router: Router,
  tools: {
    readonly readers: readonly PartitionReader[]
    readonly states: readonly PartitionState[]
    readonly applier: Applier
    readonly lastOps: LastOps
    readonly nextTag: () => string
  },
): readonly Part[] {
  const { readers, states, ...shared } = tools
  const turn = createTurn()
  return readers.flatMap((reader, partition): readonly Part[] => {
    const state = states[partition]
    if (state === undefined) return []
    return [{ reader, state, writer: createPartitionWriter({ router, state, turn, ...shared }) }]
  })
}
