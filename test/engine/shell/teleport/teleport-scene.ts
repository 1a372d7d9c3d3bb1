/** A data directory with teleport, and a cluster of this process that runs are pulled from. */

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import type { ClusterDesk } from '../../../../src-engine/shell/clusters/cluster-desk.ts'
import type { ClusterHost } from '../../../../src-engine/shell/clusters/cluster-host.ts'
import { refusingChanges } from '../../../../src-engine/shell/clusters/cluster-host.ts'
import { loadSettings } from '../../../../src-engine/shell/config.ts'
import { createDataDirectory, dataDirectory } from '../../../../src-engine/shell/data-directory.ts'
import type { Handlers } from '../../../../src-engine/shell/handlers/contract.ts'
import type { HostDeps } from '../../../../src-engine/shell/host.ts'
import { hosted } from '../../../../src-engine/shell/host-deps.ts'
import type { Teleport } from '../../../../src-engine/shell/teleport/teleport.ts'
import { createTeleport } from '../../../../src-engine/shell/teleport/teleport.ts'
import { openVault } from '../../../../src-engine/shell/vault.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { partitionedOf } from '../../../simulation/stores.ts'
import { FlowScene } from '../../runtime/control-flow/flow-scene.ts'
import type { SettingValues } from '../../runtime/permits/scene-settings.ts'
import { silentLog, temporaryFolder } from '../shell-fixtures.ts'

export interface TeleportScene {
  readonly cluster: FlowScene
  readonly own: FlowScene
  /** The methods of the data directory's engine. */
  readonly handlers: Handlers
  /** Those of the cluster's. */
  readonly there: Handlers
  readonly engine: HostDeps['engine']
  readonly teleport: Teleport
  /** Where pulled runs are kept. */
  readonly pulledFile: string
  /** Whether the connection to the cluster is read-only. */
  readonly setReadOnly: (readOnly: boolean) => void
}

/** With these settings of the cluster's engine. */
export async function teleportScene(there: SettingValues = {}): Promise<TeleportScene> {
  const cluster = new FlowScene(partitionedOf(createMemoryStore({ partitions: 4 })), there)
  const own = new FlowScene(createMemoryStore())
  for (const scene of [cluster, own]) await scene.launch()
  // The ids of both count up: those of the cluster's later runs are free here.
  for (let count = 0; count < 3; count += 1) await cluster.play({ nodes: { idle: { kind: 'noop' } } })
  const directory = dataDirectory(join(temporaryFolder(), 'data'))
  createDataDirectory(directory)
  const settings = loadSettings({ flags: {}, environment: {} })
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  const common = { settings, directory, vault, clock: systemClock, log: silentLog }
  let readOnly = false
  const clusters = {
    open: async (): Promise<ClusterHost> => ({
      composed: { engine: cluster.engine, kept: cluster.store, close: () => Promise.resolve() },
      store: cluster.store,
      readOnly,
      guarded: (handlers) => (readOnly ? refusingChanges(handlers, 'plant') : handlers),
    }),
  } as Partial<ClusterDesk> as ClusterDesk
  const teleport = createTeleport({ ...common, engine: own.engine, kept: own.store, clusters })
  const { deps } = hosted({
    ...common,
    engine: own.engine,
    clusters,
    teleport: teleport.desk,
    guarded: teleport.guarded,
  })
  const handlersThere = hosted({ ...common, engine: cluster.engine, clusters, teleport: null }).deps.handlers
  onTestFinished(async () => {
    await teleport.close()
    await cluster.close()
    await own.close()
  })
  return {
    cluster,
    own,
    handlers: deps.handlers,
    there: handlersThere,
    engine: teleport.engine,
    teleport,
    pulledFile: directory.pulled,
    setReadOnly: (wanted) => {
      readOnly = wanted
    },
  }
}
