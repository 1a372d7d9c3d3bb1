/** A command's line to a cluster. */

import { systemClock } from '../../runtime/system-ports.ts'
import type { LoadedSettings } from '../config.ts'
import type { Connection } from '../connection.ts'
import { dataDirectory } from '../data-directory.ts'
import { connectComposed } from '../in-process-connection.ts'
import { quietLog } from '../quiet-log.ts'
import { openVault } from '../vault.ts'
import { createClusterDesk } from './cluster-desk.ts'
import { openClusterHost } from './cluster-host.ts'
import type { ClusterOpening } from './open-cluster-store.ts'

/** Connects to the cluster that a name or an address means. Throws `cluster_…`, `redis_…`. */
export async function connectCluster(nameOrAddress: string, settings: LoadedSettings): Promise<Connection> {
  const parts = quietOpening(settings)
  const host = await openClusterHost(nameOrAddress, parts)
  return connectComposed({ ...parts, ...host, clusters: createClusterDesk(parts) })
}

/** What a command opens a cluster with. */
export function quietOpening(settings: LoadedSettings): ClusterOpening {
  const directory = dataDirectory(settings.values.data)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  return { settings, directory, vault, clock: systemClock, log: quietLog }
}
