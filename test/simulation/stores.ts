/** The stores that the simulator plays on: all that answer within the process. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartitionCursor } from '../../src-engine/model/event.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { newestFormAtOnce } from '../support/newest-form.ts'
import { knowFirst, readInOrder } from '../support/read-events.ts'
import type { Failovers } from './failovers.ts'
import { createFailovers } from './failovers.ts'
import { FastPartitions } from './fast-partitions.ts'
import type { FastCluster } from './journaled-store.ts'

/** Each process puts the partitions together for itself. */
const raws = new WeakMap<Store, RawStore>()

/** The partitions that a store was put together from; null for one that was not. */
export const rawBehind = (store: Store): RawStore | null => raws.get(store) ?? null

const failovers = new WeakMap<Store, Failovers>()

/** The failovers that may befall a store; null where there are none. */
export const failoversOf = (store: Store): Failovers | null => failovers.get(store) ?? null

/** The whole, with partitions that have replicas. */
export function replicatedOf(made: Failovers): Store {
  const store = partitionedOf(made.raw, (noteEnd) => {
    made.again = noteEnd
  })
  failovers.set(store, made)
  return store
}

const fastClusters = new WeakMap<Store, FastCluster>()

/** The cluster in fast mode behind a store; null for any other. */
export const fastClusterOf = (store: Store): FastCluster | null => fastClusters.get(store) ?? null

/** The whole, with partitions that may lose what was acknowledged, and the journals of their processes in a folder. */
export function journaledOf(server: FastPartitions): Store {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-simulated-'))
  const store = partitionedOf(server.raw, (noteEnd) => {
    server.onWritten = noteEnd
  })
  knowFirst(store, server.first)
  fastClusters.set(store, { server, directory, reports: [], acknowledged: new Set() })
  return Object.assign(store, {
    async close() {
      await server.raw.close()
      rmSync(directory, { recursive: true, force: true })
    },
  })
}

/** The whole, whose processes each make their own of the same partitions. */
export function partitionedOf(
  raw: RawStore,
  hand: (noteEnd: (partition: number) => void) => void = () => undefined,
): Store {
  const ends: Promise<PartitionCursor>[] = []
  const noteEnd = (partition: number): void => {
    ends.push(raw.load(partition, 'feedEnd', {}))
  }
  hand(noteEnd)
  const noted = <Answer>(partition: number, answer: Promise<Answer>): Promise<Answer> => {
    // It was written when the call returned: the end of the feed is the one of this write.
    noteEnd(partition)
    return answer
  }
  const watched: RawStore = {
    ...raw,
    commit: (partition, checkpoints) => noted(partition, raw.commit(partition, checkpoints)),
    claim: (request) => noted(request.partition, raw.claim(request)),
  }
  const store = createPartitionedStore(watched)
  raws.set(store, watched)
  readInOrder(store, ends)
  return store
}

/** By name; each gives an empty store. */
export const simulationStores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  'memory in four partitions': async () => partitionedOf(createMemoryStore({ partitions: 4 })),
  'memory in four partitions with failovers': async () => replicatedOf(createFailovers()),
  sqlite: () =>
    openSqliteStore({
      directory: ':memory:',
      storeId: storeId('simulated'),
      migrations: newestFormAtOnce,
      clock: { now: () => 0, after: () => () => {} },
    }),
}

/**
 * Those that scenes are played on in which no server fails: partitions with replicas do what those without do, and are asked
 * besides whether what they tell is safe.
 */
export const sceneStores: typeof simulationStores = Object.fromEntries(
  Object.entries(simulationStores).filter(([name]) => name !== 'memory in four partitions'),
)

/** Stores that may lose what they acknowledged: only for who expects that. */
export const losingStores: Readonly<Record<string, () => Promise<Store>>> = {
  'memory in four partitions in fast mode': async () => journaledOf(new FastPartitions(4)),
}
