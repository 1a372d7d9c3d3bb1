/** Teleport for an engine on a data directory: its desk, and the pulled runs beside its own. */

import type { TaskHost } from '../../runtime/task-host.ts'
import type { Store } from '../../store/store.ts'
import type { ClusterDesk } from '../clusters/cluster-desk.ts'
import type { Handlers } from '../handlers/contract.ts'
import type { HostDeps } from '../host.ts'
import type { HostParts } from '../host-deps.ts'
import { hosted } from '../host-deps.ts'
import type { TeleportDesk } from './desk.ts'
import { enginesWithPulled, withPulled } from './pulled-handlers.ts'
import type { PulledReader } from './pulled-runs.ts'
import { createPulledRuns } from './pulled-runs.ts'
import { createTeleportDesk } from './teleport-desk.ts'

export interface Teleport {
  readonly desk: TeleportDesk
  /** The methods with the pulled runs among what they read. */
  readonly guarded: (handlers: Handlers) => Handlers
  /** The same for what follows runs. */
  readonly engine: HostDeps['engine']
  readonly close: () => Promise<void>
}

export type TeleportParts = Omit<HostParts, 'clusters' | 'teleport' | 'guarded'> & {
  readonly clusters: ClusterDesk
  /** The store of this machine, with values as they are kept. */
  readonly kept: Store
}

export function createTeleport(parts: TeleportParts): Teleport {
  const { engine, directory, clock } = parts
  const pulled = createPulledRuns({
    path: directory.pulled,
    clock,
    local: engine.store,
    read: (store) => readerOn(parts, store),
  })
  const desk = createTeleportDesk({
    ...parts,
    pulled,
    local: engine.store,
    methodsHere: () => hosted({ ...parts, teleport: null }).deps.handlers,
    methodsOf: ({ composed, guarded }) =>
      hosted({ ...parts, engine: composed.engine, guarded, teleport: null }).deps.handlers,
  })
  return {
    desk,
    guarded: (handlers) => withPulled(handlers, pulled),
    engine: enginesWithPulled(engine, pulled),
    close: pulled.close,
  }
}

async function readerOn(parts: TeleportParts, store: Store): Promise<PulledReader> {
  const { directory, clock, log, settings, vault } = parts
  const made: { host: TaskHost | null } = { host: null }
  const { composeEngine } = await import('../compose-engine.ts')
  const composed = await composeEngine({
    directory,
    clock,
    log,
    store,
    // What came sealed is opened for whoever has the keys of its workspace.
    vault,
    sealing: { wanted: false, watches: true },
    settings: settings.engine,
    hosted: (host) => {
      made.host = host
      return host
    },
  })
  const { deps } = hosted({ ...parts, engine: composed.engine, teleport: null })
  if (made.host === null) throw new Error('composing an engine makes its host')
  return { composed, deps, host: made.host }
}
