/** A connection to an engine of this very process that no data directory stands behind. */

import { createChannelPair } from '../protocol/channel-pair.ts'
import { createClient } from '../protocol/client.ts'
import type { ClusterDesk } from './clusters/cluster-desk.ts'
import type { Connection } from './connection.ts'
import { serveChannel } from './host.ts'
import type { HostParts } from './host-deps.ts'
import { hostDepsOf } from './host-deps.ts'

/** Closing it stops the engine and closes its store. */
export function connectComposed(parts: HostParts & { readonly clusters: ClusterDesk }): Connection {
  const { composed } = parts
  const [near, far] = createChannelPair()
  const stop = serveChannel(hostDepsOf(parts), far, null)
  const client = createClient(near, { token: null })
  const close = async (): Promise<void> => {
    await composed.engine.stop()
    client.close()
    stop()
    await parts.clusters.close()
    await composed.close()
  }
  return { client, attachedTo: null, host: null, close }
}
