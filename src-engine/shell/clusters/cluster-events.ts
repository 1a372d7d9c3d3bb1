/** Tells events of steps to the clusters that a data directory knows by name. */

import { SagasmithError } from '../../model/errors.ts'
import { runId } from '../../model/ids.ts'
import type { Engine } from '../../runtime/engine.ts'
import type { ClusterEvents } from '../../tasks/emit-event/cluster-events.ts'
import { isClusterAddress } from './cluster-address.ts'
import { readOnlyRefusal } from './cluster-host.ts'

/** What of a connection to a cluster this needs. */
interface ReachedCluster {
  readonly composed: { readonly engine: Pick<Engine, 'emitEvent'> }
  readonly readOnly: boolean
}

/** Events by the connections of a desk. They throw `cluster_…` and `redis_…`; a run that isn't there, `run_not_found`. */
export function createClusterEvents(desk: {
  readonly open: (name: string) => Promise<ReachedCluster>
}): ClusterEvents {
  return async ({ cluster, name, payload, correlation, runId: run, messageId }) => {
    // A document says a name that its person has given: it sends nobody to servers of its own choice.
    if (isClusterAddress(cluster))
      throw new SagasmithError('cluster_unknown', {
        message: `“${cluster}” is an address: an event is told to a cluster by the name of its connection.`,
        hint: 'Give it a name with `sagasmith clusters add NAME ADDRESS --writable`, and write that name.',
        details: { cluster },
      })
    const { composed, readOnly } = await desk.open(cluster)
    if (readOnly) throw readOnlyRefusal(cluster)
    const { outcome } = await composed.engine.emitEvent({
      ...{ name, payload, correlation, messageId },
      runId: run === null ? null : runId(run),
    })
    return outcome
  }
}
