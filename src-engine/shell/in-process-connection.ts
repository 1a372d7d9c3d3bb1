/** A connection to an engine of this very process that no data directory stands behind. */

import { createChannelPair } from '../protocol/channel-pair.ts'
import { createClient } from '../protocol/client.ts'
import type { ClusterDesk } from './clusters/cluster-desk.ts'
import type { ComposedEngine } from './compose-engine.ts'
import type { Connection } from './connection.ts'
import { serveChannel } from './host.ts'
import type { HostParts } from './host-deps.ts'
import { hosted } from './host-deps.ts'

type ComposedParts = Omit<HostParts, 'engine' | 'clusters' | 'teleport'> & {
  readonly composed: ComposedEngine
  readonly clusters: ClusterDesk
}

/** Closing it stops the engine and closes its store. */
export function connectComposed({ composed, ...parts }: ComposedParts): Connection {
  const { engine } = composed
  const [near, far] = createChannelPair()
  const stop = serveChannel(hosted({ ...parts, engine, teleport: null }).deps, far, null)
  const client = createClient(near, { token: null, readsGroups: true })
  const close = async (): Promise<void> => {
    await engine.stop()
    client.close()
    stop()
    await parts.clusters.close()
    await composed.close()
  }
  return { client, attachedTo: null, host: null, close }
}
