/** What a channel is served with, for an engine without a data directory of its own. */

import type { Clock, Logger } from '../model/ports.ts'
import { ownProcess } from '../runtime/process-identity.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import type { Clusters } from './clusters/clusters.ts'
import type { ComposedEngine } from './compose-engine.ts'
import type { LoadedSettings } from './config.ts'
import { createDrafts } from './drafts.ts'
import type { Handlers } from './handlers/contract.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { HostDeps } from './host.ts'
import { createLibrary } from './library.ts'
import { productVersion } from './product-version.ts'
import { findResource } from './resources.ts'
import { createSamples } from './samples.ts'
import { validateJson } from './validate-json.ts'

export interface HostParts {
  readonly composed: ComposedEngine
  readonly settings: LoadedSettings
  /** The library's folder. */
  readonly folder: string
  readonly vault: Vault
  readonly clusters: Clusters
  readonly clock: Clock
  readonly log: Logger
  /** Puts something in front of the methods. */
  readonly guarded?: (handlers: Handlers) => Handlers
}

/** Its handlers, and what the welcome says. */
export function hostDepsOf(parts: HostParts): HostDeps {
  const { composed, settings, folder, vault, clusters, clock, log, guarded = (handlers) => handlers } = parts
  const { engine } = composed
  const { id, kind, safety } = engine.store.info
  const welcome = { engineVersion: productVersion(), storeId: id }
  const handlers = createHandlers({
    engine,
    info: {
      version: welcome.engineVersion,
      storeId: id,
      storeKind: kind,
      dataDirectory: folder,
      process: { pid: ownProcess().pid, node: process.versions.node },
      durability: settings.engine.durability,
      safety,
      recoveredCount: 0,
    },
    settings: settings.reports,
    configFile: settings.configFile,
    library: createLibrary({ workspace: folder, validate: validateJson }),
    samples: createSamples(findResource('samples'), folder),
    drafts: createDrafts(folder, clock),
    vault,
    clusters,
    validate: validateJson,
  })
  return { handlers: guarded(handlers), engine, clock, log, welcome }
}
