/**
 * A command's line to a cluster: an engine of its own on the cluster's store that reads, asks and writes, and
 * executes nothing. What is started there, runners do.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Logger } from '../../model/ports.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import { composeEngine } from '../compose-engine.ts'
import type { LoadedSettings } from '../config.ts'
import type { Connection } from '../connection.ts'
import { dataDirectory } from '../data-directory.ts'
import type { Handlers } from '../handlers/contract.ts'
import { connectComposed } from '../in-process-connection.ts'
import { openVault } from '../vault.ts'
import { changingMethods } from './changing-methods.ts'
import { createClusterBook } from './cluster-book.ts'
import { openCluster } from './open-cluster-store.ts'

/** Connects to the cluster that a name or an address means. Throws `cluster_…`, `redis_…`. */
export async function connectCluster(nameOrAddress: string, settings: LoadedSettings): Promise<Connection> {
  const { values } = settings
  const directory = dataDirectory(values.data)
  const clock = systemClock
  const vault = openVault({ directory, settings: values, clock })
  const meant = await createClusterBook(directory.clusters).find(nameOrAddress)
  const store = await openCluster({ settings }, nameOrAddress, { vault, log: quiet })
  const composed = await composeEngine({
    directory,
    clock,
    log: quiet,
    store,
    vault,
    settings: settings.engine,
  })
  const parts = { composed, settings, folder: directory.workflows, vault, clock, log: quiet }
  return connectComposed(
    meant.readOnly ? { ...parts, guarded: (handlers) => readOnly(handlers, meant.label) } : parts,
  )
}

/** What would change the cluster is refused before it gets there. */
function readOnly(handlers: Handlers, cluster: string): Handlers {
  const refuse = (): never => {
    throw new SagasmithError('cluster_read_only', {
      message: `The connection to ${cluster} is read-only.`,
      hint: `Allow changes with \`sagasmith clusters add ${cluster} ADDRESS --writable\`.`,
      details: { cluster },
    })
  }
  return { ...handlers, ...Object.fromEntries(changingMethods.map((method) => [method, refuse])) }
}

const nothing = (): void => undefined
/** What goes wrong is told by the command itself. */
const quiet: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
