/**
 * An engine of this process on the store of a cluster: it reads, asks and writes, and executes nothing. What
 * is started there, runners do.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Store } from '../../store/store.ts'
import type { ComposedEngine } from '../compose-engine.ts'
import { composeEngine } from '../compose-engine.ts'
import type { Handlers } from '../handlers/contract.ts'
import { changingMethods } from './changing-methods.ts'
import { createClusterBook } from './cluster-book.ts'
import type { ClusterOpening } from './open-cluster-store.ts'
import { openCluster } from './open-cluster-store.ts'

export interface ClusterHost {
  /** Not started, and not to be. */
  readonly composed: ComposedEngine
  /** What is kept there, as it is kept. */
  readonly store: Store
  readonly readOnly: boolean
  /** What the connection allows of all that an engine can do. */
  readonly guarded: (handlers: Handlers) => Handlers
}

/** Connects to the cluster that a name or an address means. Throws `cluster_…`, `redis_…`. */
export async function openClusterHost(nameOrAddress: string, parts: ClusterOpening): Promise<ClusterHost> {
  const { settings, directory, vault, clock, log } = parts
  const meant = await createClusterBook(directory.clusters).find(nameOrAddress)
  const writes = parts.writes !== false && !meant.readOnly
  // Whoever looks is to see what is there, also while a part of it is away.
  const store = await openCluster({ ...parts, writes, partly: true }, nameOrAddress)
  const composed = await composeEngine({
    directory,
    clock,
    log,
    store,
    vault,
    settings: settings.engine,
    kernel: settings.values,
    sealing: { wanted: false, watches: true },
  })
  return {
    composed,
    store,
    readOnly: meant.readOnly,
    guarded: (handlers) => (meant.readOnly ? refusingChanges(handlers, meant.label) : handlers),
  }
}

/** The methods of a read-only connection: what would change the cluster is refused before it gets there. */
export function refusingChanges(handlers: Handlers, cluster: string): Handlers {
  const refuse = async (): Promise<never> => {
    throw readOnlyRefusal(cluster)
  }
  return { ...handlers, ...Object.fromEntries(changingMethods.map((method) => [method, refuse])) }
}

/** What a read-only connection says to a change. */
export const readOnlyRefusal = (cluster: string): SagasmithError =>
  new SagasmithError('cluster_read_only', {
    message: `The connection to ${cluster} is read-only.`,
    hint: `Allow changes with \`sagasmith clusters add ${cluster} ADDRESS --writable\`.`,
    details: { cluster },
  })
