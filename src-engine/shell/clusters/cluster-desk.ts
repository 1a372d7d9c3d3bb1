/** The clusters of a data directory for whoever manages them, and engines on those that are looked at. */

import { recordOfThrown } from '../../model/errors.ts'
import { pageSizeMax } from '../../model/limits.ts'
import { livingRunners } from '../../runtime/routing/missing-runner.ts'
import { sealView } from '../../runtime/sealing/seal-changes.ts'
import { createVaultSealKeys } from '../../runtime/sealing/seal-keys.ts'
import { createClusterBook } from './cluster-book.ts'
import type { ClusterHost } from './cluster-host.ts'
import { openClusterHost } from './cluster-host.ts'
import type { Clusters } from './clusters.ts'
import type { ClusterOpening } from './open-cluster-store.ts'

export interface ClusterDesk extends Clusters {
  /** The engine on a cluster; the same for all who look at it. Throws `cluster_…`, `redis_…`. */
  readonly open: (name: string) => Promise<ClusterHost>
  readonly close: () => Promise<void>
}

export function createClusterDesk(parts: ClusterOpening): ClusterDesk {
  const book = createClusterBook(parts.directory.clusters)
  const hosts = new Map<string, Promise<ClusterHost>>()
  const forget = async (name: string): Promise<void> => {
    const host = hosts.get(name)
    hosts.delete(name)
    // One that could not be opened has nothing to close.
    await host?.then(({ composed }) => composed.close()).catch(() => undefined)
  }
  return {
    list: book.list,
    async put(entry) {
      await book.put(entry)
      // Whoever looks at it comes back with the new address.
      await forget(entry.name)
    },
    async remove(name) {
      await book.remove(name)
      await forget(name)
    },
    async check(nameOrAddress) {
      try {
        const { composed } = await openClusterHost(nameOrAddress, { ...parts, writes: false })
        try {
          const { store } = composed.engine
          const page = { after: null, limit: pageSizeMax }
          const rows = await store.list(0, 'runners', { filter: null, page })
          const runners = livingRunners(rows, parts.clock.now()).length
          const { id, partitions, safety } = store.info
          const sealing = await sealView({ store, keys: createVaultSealKeys(parts.vault) })
          return { kind: 'reached', storeId: id, safety, partitions: partitions.length, runners, sealing }
        } finally {
          await composed.close()
        }
      } catch (thrown) {
        return { kind: 'failed', error: recordOfThrown(thrown) }
      }
    },
    open(name) {
      const known = hosts.get(name)
      if (known !== undefined) return known
      const opening = openClusterHost(name, parts)
      hosts.set(name, opening)
      // The next one who asks tries again.
      opening.catch(() => hosts.delete(name))
      return opening
    },
    async close() {
      await Promise.all([...hosts.keys()].map(forget))
    },
  }
}
