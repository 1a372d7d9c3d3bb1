/** A command's line to a cluster. */

import { systemClock } from '../../runtime/system-ports.ts'
import type { LoadedSettings } from '../config.ts'
import type { Connection } from '../connection.ts'
import { attachTo } from '../connection.ts'
import { dataDirectory } from '../data-directory.ts'
import { connectComposed } from '../in-process-connection.ts'
import { quietLog } from '../quiet-log.ts'
import { openVault, vaultProvider } from '../vault.ts'
import { createClusterDesk } from './cluster-desk.ts'
import { openClusterHost } from './cluster-host.ts'
import type { ClusterOpening } from './open-cluster-store.ts'

/** Connects to the cluster that a name or an address means. Throws `cluster_…`, `redis_…`. */
export async function connectCluster(nameOrAddress: string, settings: LoadedSettings): Promise<Connection> {
  const parts = quietOpening(settings)
  const through = await throughKeyHolder(parts, nameOrAddress)
  if (through !== null) return through
  const host = await openClusterHost(nameOrAddress, parts)
  return connectComposed({ ...parts, ...host, clusters: createClusterDesk(parts) })
}

/**
 * The key of a vault that the desktop's key store protects is the app's alone. While the app runs it is the one
 * that connects: it has the cluster's password and the keys that seal its values; null when it doesn't run.
 */
async function throughKeyHolder(
  { directory, settings }: ClusterOpening,
  cluster: string,
): Promise<Connection | null> {
  if ((await vaultProvider(directory)) !== 'safe-storage') return null
  try {
    return await attachTo(directory.root, cluster)
  } catch (thrown) {
    // A password of this process's environment is not in the app's.
    if (settings.values.redisPassword !== '') return null
    throw thrown
  }
}

/** What a command opens a cluster with. */
export function quietOpening(settings: LoadedSettings): ClusterOpening {
  const directory = dataDirectory(settings.values.data)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  return { settings, directory, vault, clock: systemClock, log: quietLog }
}
