/** A connection to an engine of this very process that no data directory stands behind. */

import type { Clock, Logger } from '../model/ports.ts'
import { createChannelPair } from '../protocol/channel-pair.ts'
import { createClient } from '../protocol/client.ts'
import { ownProcess } from '../runtime/process-identity.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import type { ComposedEngine } from './compose-engine.ts'
import type { LoadedSettings } from './config.ts'
import type { Connection } from './connection.ts'
import { createDrafts } from './drafts.ts'
import type { Handlers } from './handlers/contract.ts'
import { createHandlers } from './handlers/handlers.ts'
import { serveChannel } from './host.ts'
import { createLibrary } from './library.ts'
import { productVersion } from './product-version.ts'
import { findResource } from './resources.ts'
import { createSamples } from './samples.ts'
import { validateJson } from './validate-json.ts'

export interface InProcessParts {
  readonly composed: ComposedEngine
  readonly settings: LoadedSettings
  /** The library's folder. */
  readonly folder: string
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  /** Puts something in front of the methods. */
  readonly guarded?: (handlers: Handlers) => Handlers
}

/** Closing it stops the engine and closes its store. */
export function connectComposed(parts: InProcessParts): Connection {
  const { composed, settings, folder, vault, clock, log, guarded = (handlers) => handlers } = parts
  const { engine } = composed
  const { id, kind } = engine.store.info
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
      recoveredCount: 0,
    },
    settings: settings.reports,
    configFile: settings.configFile,
    library: createLibrary({ workspace: folder, validate: validateJson }),
    samples: createSamples(findResource('samples'), folder),
    drafts: createDrafts(folder, clock),
    vault,
    validate: validateJson,
  })
  const [near, far] = createChannelPair()
  const stop = serveChannel({ handlers: guarded(handlers), engine, clock, log, welcome }, far, null)
  const client = createClient(near, { token: null })
  const close = async (): Promise<void> => {
    await engine.stop()
    client.close()
    stop()
    await composed.close()
  }
  return { client, attachedTo: null, host: null, close }
}
