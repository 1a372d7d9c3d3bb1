/** What a channel is served with: an engine, and the files and secrets of the data directory beside it. */

import type { Clock, Logger } from '../model/ports.ts'
import type { EngineInfo } from '../protocol/api.ts'
import type { Engine } from '../runtime/engine.ts'
import { ownProcess } from '../runtime/process-identity.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import type { SandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { createCheckpoints } from './checkpoints.ts'
import type { Clusters } from './clusters/clusters.ts'
import { createCodeDesk } from './code-task-file.ts'
import type { LoadedSettings } from './config.ts'
import type { CrashDesk } from './crash/crash-desk.ts'
import { createCustomTasks } from './custom-tasks.ts'
import type { DataDirectory } from './data-directory.ts'
import { createDocumentTrust } from './document-trust.ts'
import { createDrafts } from './drafts.ts'
import type { HandlerDeps, Handlers } from './handlers/contract.ts'
import { createHandlers } from './handlers/handlers.ts'
import type { HostDeps } from './host.ts'
import type { Library } from './library.ts'
import { createLibrary } from './library.ts'
import { productVersion } from './product-version.ts'
import { findResource } from './resources.ts'
import { refusingRestricted, trustingCommands } from './restricting.ts'
import { createSamples } from './samples.ts'
import { allowedPackages } from './script-packages.ts'
import { createSigningKeys } from './signing-keys.ts'
import type { TeleportDesk } from './teleport/desk.ts'
import { createTrustListFile } from './trust-list.ts'
import { createUndoLogs } from './undo-logs.ts'
import { validateJson } from './validate-json.ts'
import { createWebhookAddresses } from './webhooks/webhook-addresses.ts'
import type { WebhookServer } from './webhooks/webhook-server.ts'
import { createWorkflowSource } from './workflow-source.ts'

export interface HostParts {
  readonly engine: Engine
  readonly settings: LoadedSettings
  /** Whose library and drafts they are, also where the engine works on a cluster. */
  readonly directory: DataDirectory
  readonly vault: Vault
  readonly clusters: Clusters
  /** Null where no data directory stands behind the engine. */
  readonly teleport: TeleportDesk | null
  /** Null or absent where no worker of this machine may be crashed. */
  readonly crash?: CrashDesk | null
  /** Starts the processes in which task files are read; a child of this Node when absent. */
  readonly sandbox?: SandboxHost | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Gives null where nobody listens for web calls; nobody does when absent. */
  readonly webhooks?: () => WebhookServer | null
  /** Puts something in front of the methods. */
  readonly guarded?: (handlers: Handlers) => Handlers
  /** Whether documents are run only when somebody trusts them: where pages are served. Not when absent. */
  readonly restricts?: boolean
}

/** What is served, and those parts of it that whoever serves needs too. */
export interface Hosted {
  readonly deps: HostDeps
  readonly info: EngineInfo
  readonly library: Library
}

export function hosted(parts: HostParts): Hosted {
  const { engine, settings, directory, vault, clusters, clock, log } = parts
  const { teleport, guarded = (handlers) => handlers } = parts
  const { workflows, drafts } = directory
  const info = infoOf(parts)
  const customTasks = createCustomTasks(directory.tasks, createCodeDesk({ sandbox: parts.sandbox, clock }))
  const validate: HandlerDeps['validate'] = (document, secrets) =>
    validateJson(document, secrets, customTasks.known())
  const library = createLibrary({ workspace: workflows })
  const path = directory.trustedDocuments
  const source = createWorkflowSource(workflows, customTasks)
  const documentTrust = createDocumentTrust({ path, customTasks, source, clock })
  const handlers = createHandlers({
    documentTrust,
    engine,
    info,
    settings: settings.reports,
    configFile: settings.configFile,
    library,
    customTasks,
    packages: allowedPackages(settings.engine, directory.root),
    samples: createSamples(findResource('samples'), workflows),
    drafts: createDrafts(drafts, clock),
    undoLogs: createUndoLogs(directory.undo),
    checkpoints: createCheckpoints(directory.checkpoints, clock),
    vault,
    clusters,
    trustList: createTrustListFile(directory.trust),
    signingKeys: createSigningKeys(directory.signingKeys),
    teleport,
    crash: parts.crash ?? null,
    webhooks: parts.webhooks ?? (() => null),
    // On a cluster others listen, with a key of their own unless the setting says it.
    webhookAddresses: createWebhookAddresses(
      settings.values,
      engine.store.info.safety === null ? directory.webhookKey : null,
    ),
    validate,
  })
  const welcome = { engineVersion: info.version, storeId: info.storeId }
  const all = guarded(handlers)
  const allowed =
    parts.restricts === true
      ? {
          handlers: refusingRestricted(all, documentTrust),
          forCommands: trustingCommands(all, documentTrust),
        }
      : { handlers: all }
  return { deps: { ...allowed, engine, clock, log, welcome }, info, library }
}

function infoOf({ engine, directory, settings }: HostParts): EngineInfo {
  const { id, kind, safety } = engine.store.info
  return {
    version: productVersion(),
    storeId: id,
    storeKind: kind,
    dataDirectory: directory.root,
    process: { pid: ownProcess().pid, node: process.versions.node },
    durability: settings.engine.durability,
    safety,
    reach: null,
    recoveredCount: engine.recoveredCount,
  }
}
