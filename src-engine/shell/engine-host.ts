/**
 * An engine with everything that belongs to a data directory: the lock, the store, the local socket that
 * commands attach to, the workflow files. Desktop, browser shell and terminal all open this.
 */

import type { Clock } from '../model/ports.ts'
import type { EngineInfo } from '../protocol/api.ts'
import type { Channel } from '../protocol/channel.ts'
import { mockPlace } from '../protocol/mock-place.ts'
import type { Engine } from '../runtime/engine.ts'
import { createEngineMetrics } from '../runtime/metrics/engine-metrics.ts'
import { metricsText } from '../runtime/metrics/metrics-text.ts'
import { ownProcess } from '../runtime/process-identity.ts'
import { systemClock } from '../runtime/system-ports.ts'
import type { SpanExporter } from '../runtime/tracing/otlp-exporter.ts'
import { createOtlpExporter } from '../runtime/tracing/otlp-exporter.ts'
import type { KeyProvider } from '../runtime/vault/key-provider.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import type { GuardedHost } from '../tasks/guarded-process.ts'
import type { SandboxHost } from '../tasks/javascript/sandbox-host.ts'
import type { ClusterDesk } from './clusters/cluster-desk.ts'
import { createClusterDesk } from './clusters/cluster-desk.ts'
import { createClusterEvents } from './clusters/cluster-events.ts'
import type { ClusterOpening } from './clusters/open-cluster-store.ts'
import type { ComposedEngine, ComposeEngine, ComposeInput } from './compose-engine.ts'
import type { LoadedSettings } from './config.ts'
import { loadSettings } from './config.ts'
import type { CrashDesk } from './crash/crash-desk.ts'
import { createCrashDesk } from './crash/crash-desk.ts'
import type { DataDirectory } from './data-directory.ts'
import { createDataDirectory, dataDirectory } from './data-directory.ts'
import type { DataLock } from './data-lock.ts'
import { acquireDataLock } from './data-lock.ts'
import type { HostDeps } from './host.ts'
import { serveChannel } from './host.ts'
import { hosted } from './host-deps.ts'
import type { Library } from './library.ts'
import type { LocalServer } from './local-socket.ts'
import { listenLocal, localSocketPath } from './local-socket.ts'
import type { FileLogger } from './log.ts'
import { createFileLogger } from './log.ts'
import type { MockDesk } from './mock-desk.ts'
import { createMockDesk } from './mock-desk.ts'
import { productVersion } from './product-version.ts'
import type { Teleport } from './teleport/teleport.ts'
import { createTeleport } from './teleport/teleport.ts'
import type { OpenVaultInput } from './vault.ts'
import { openVault } from './vault.ts'
import type { AttachedCallbackUrls } from './webhooks/callback-urls.ts'
import { createCallbackUrls } from './webhooks/callback-urls.ts'
import { openHostWebhooks } from './webhooks/host-webhooks.ts'
import type { WebhookServer } from './webhooks/webhook-server.ts'

export interface EngineHostOptions {
  readonly dataDir: string
  /** What this process is, for the message of whoever comes second: `serve`, `run`, `desktop`. */
  readonly role: string
  /**
   * `work` claims and executes, and listens for commands. `look` only reads and writes: nothing starts
   * because somebody asked for a list.
   */
  readonly mode: 'work' | 'look'
  /** The defaults when absent; the data directory is `dataDir` whatever they say. */
  readonly settings?: LoadedSettings
  readonly clock?: Clock
  /** Starts the processes of JavaScript steps, where a plain Node can't be started. */
  readonly sandbox?: SandboxHost
  /** Starts the processes that work on SQLite files, where a plain Node can't be started. */
  readonly sqlite?: SandboxHost
  /** How store and engine are made; tests give their own. */
  readonly compose?: ComposeEngine
  /** Whether it does the periodic chores: for processes that stay. Not when absent. */
  readonly canRunAtomicService?: boolean
  /** The data directory whose clusters, with their passwords, are meant; this one when absent. */
  readonly clustersOf?: string
  /** Starts the process that listens for web calls, where a plain Node can't be started. */
  readonly webhookListener?: GuardedHost
  /** Starts a worker that is to crash, where a plain Node can't be started. */
  readonly crashWorker?: GuardedHost
  /** The key store of the desktop, for the vault. */
  readonly keyStore?: KeyProvider
}

export interface EngineHost {
  readonly engine: Engine
  readonly info: EngineInfo
  readonly directory: DataDirectory
  readonly library: Library
  /** Serves the engine's methods on a channel; returns the way to stop. */
  readonly serve: (channel: Channel, options: { readonly requireToken: string | null }) => () => void
  /** Null for a process that doesn't stay. */
  readonly webhooks: WebhookServer | null
  /** Hands back unfinished work and lets go of the data directory. Legal twice. */
  readonly close: () => Promise<void>
  /** The engine's metrics as Prometheus reads them. */
  readonly metricsText: () => Promise<string>
}

/** Opens a data directory. Throws `data_directory_in_use` and whatever keeps the store from opening. */
export async function openEngineHost(options: EngineHostOptions): Promise<EngineHost> {
  const clock = options.clock ?? systemClock
  const directory = dataDirectory(options.dataDir)
  createDataDirectory(directory)
  const socket = localSocketPath(directory.socket)
  const lock = acquireDataLock(directory.lock, {
    process: ownProcess(),
    socket,
    since: clock.now(),
    role: options.role,
  })
  const settings = options.settings ?? loadSettings({ flags: {}, environment: {} })
  const { logLevel, logFormat } = settings.values
  const log = createFileLogger(directory.logs, { level: logLevel, format: logFormat }, clock)
  const undo: (() => Promise<void> | void)[] = [() => log.close(), lock.release]
  try {
    return await openHeld({ options, settings, clock, directory, socket, lock, log, undo })
  } catch (error) {
    for (const step of undo) await step()
    throw error
  }
}

interface Held {
  readonly options: EngineHostOptions
  readonly settings: LoadedSettings
  readonly clock: Clock
  readonly directory: DataDirectory
  readonly socket: string
  readonly lock: DataLock
  readonly log: FileLogger
  /** What has to be undone when the rest fails, first things first. */
  readonly undo: (() => Promise<void> | void)[]
}

async function openHeld(held: Held): Promise<EngineHost> {
  const { options, settings, clock, directory, log, undo } = held
  const compose = options.compose ?? (await import('./compose-engine.ts')).composeEngine
  const metrics = createEngineMetrics()
  const spans = spanExporterOf(settings, clock, log)
  const vault = openVault({ directory, settings: settings.values, clock, ...keyStoreOf(options) })
  const callbacks = callbackUrlsOf(held)
  const common = { settings, directory, vault, clock, log, sandbox: options.sandbox }
  const clusters = createClusterDesk({ ...common, ...clusterPlace(options, settings, clock) })
  const composed = await compose({
    directory,
    clock,
    log,
    vault,
    callbacks,
    clusterEvents: createClusterEvents(clusters),
    settings: settings.engine,
    kernel: settings.values,
    sealing: { wanted: settings.values.sealPayloads, watches: options.mode === 'look' },
    canRunAtomicService: options.canRunAtomicService === true,
    metrics,
    ...(spans === null ? {} : { spans }),
    ...sandboxOf(options),
  })
  const { engine } = composed
  undo.unshift(composed.close)
  if (options.mode === 'work') await engine.start()
  const server = await startSources(held, { engine, vault, callbacks })
  undo.unshift(() => server?.close())
  // Others are told of it only where it serves triggers, too.
  const webhooks = stays(options) ? server : null
  const teleport = createTeleport({ ...common, engine, kept: composed.kept, clusters })
  const { deps, info, library } = hosted({
    ...common,
    engine,
    clusters,
    teleport: teleport.desk,
    crash: crashDeskOf(held, { engine, vault }),
    webhooks: () => webhooks,
    guarded: teleport.guarded,
    restricts: true,
  })
  const mocks = createMockDesk({ ...common, clusters, sandboxing: sandboxOf(options) })
  const cluster = async (name: string): Promise<HostDeps> => {
    if (name === mockPlace) return mocks.deps()
    const { composed: remote, guarded } = await clusters.open(name)
    const parts = { ...common, engine: remote.engine, guarded, clusters, teleport: null }
    return hosted({ ...parts, restricts: true }).deps
  }
  const served = createServing({ ...deps, engine: teleport.engine, cluster })
  const open = (channel: Channel): void => {
    served.serve(channel, null)
  }
  const local = options.mode === 'work' ? await listenLocal(held.socket, open) : null
  log.info('engine.opened', {
    role: options.role,
    tookOver: held.lock.tookOver,
    recovered: engine.recoveredCount,
  })
  return {
    engine,
    info,
    directory,
    library,
    serve: (channel, { requireToken }) => served.serve(channel, requireToken),
    webhooks,
    close: createClose(held, { composed, served, local, spans, clusters, mocks, teleport, webhooks: server }),
    metricsText: () => metricsText(metrics, engine),
  }
}

/** Where a plain Node can't be started, their processes are started for the engine's own process alone. */
const brokeredKinds = ['javascript', 'sql-query', 'sql-statement']

/** Workers are crashed by an engine that works, on the data file of its machine. */
function crashDeskOf(
  { options, directory }: Held,
  { engine, vault }: { readonly engine: Engine; readonly vault: Vault },
): CrashDesk | null {
  if (options.mode !== 'work') return null
  const host = options.crashWorker
  return createCrashDesk({
    engine,
    directory,
    vault,
    ...(host === undefined ? {} : { host, refusesKinds: brokeredKinds }),
  })
}

/** A process that doesn't stay starts nothing by itself. */
const stays = ({ mode, canRunAtomicService }: EngineHostOptions): boolean =>
  mode === 'work' && canRunAtomicService === true

/** What reaches runs from outside: watched folders, streams and web calls; for a process that doesn't stay, calls of its steps. */
async function startSources(
  { options, settings, directory, clock, log }: Held,
  parts: {
    readonly engine: Engine
    readonly vault: Vault
    readonly callbacks: AttachedCallbackUrls
  },
): Promise<WebhookServer | null> {
  const { engine, vault, callbacks } = parts
  if (options.mode !== 'work') return null
  const servesTriggers = stays(options)
  if (servesTriggers) for (const source of [engine.folders, engine.streams]) source.start()
  const host = options.webhookListener
  const common = { engine, directory, settings: settings.values, vault, clock, log, host }
  const server = await openHostWebhooks({ ...common, servesTriggers })
  callbacks.attach({ engine, server })
  return server
}

const callbackUrlsOf = ({ settings, directory, clock }: Held): AttachedCallbackUrls =>
  createCallbackUrls({
    settings: settings.values,
    keyFile: directory.webhookKey,
    isOneMachine: true,
    clock,
  })

interface Serving {
  readonly serve: (channel: Channel, token: string | null) => () => void
  readonly stopAll: () => void
}

function createServing(deps: HostDeps): Serving {
  const stops = new Set<() => void>()
  return {
    serve: (channel, token) => {
      const stop = serveChannel(deps, channel, token)
      stops.add(stop)
      channel.onClose(() => stops.delete(stop))
      return stop
    },
    stopAll: () => {
      for (const stop of [...stops]) stop()
    },
  }
}

function createClose(
  held: Held,
  parts: {
    readonly composed: ComposedEngine
    readonly served: Serving
    readonly local: LocalServer | null
    readonly spans: SpanExporter | null
    readonly clusters: ClusterDesk
    readonly mocks: MockDesk
    readonly teleport: Teleport
    readonly webhooks: WebhookServer | null
  },
): () => Promise<void> {
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    try {
      await parts.webhooks?.close()
      // Clients see the last events of the stop, then the close; whoever waits attaches to the next engine.
      await parts.composed.engine.stop()
      parts.served.stopAll()
      await parts.local?.close()
      await parts.clusters.close()
      await parts.mocks.close()
      await parts.teleport.close()
      await parts.composed.close()
      await parts.spans?.close()
      held.log.info('engine.closed')
    } finally {
      await held.log.close()
      held.lock.release()
    }
  }
  return () => (closing ??= close())
}

/** Null when no collector is named: then no span is made. */
function spanExporterOf({ values }: LoadedSettings, clock: Clock, log: FileLogger): SpanExporter | null {
  const { otlpEndpoint, otlpHeaders, serviceName } = values
  if (otlpEndpoint === '') return null
  const resource = { serviceName, version: productVersion() }
  return createOtlpExporter({ endpoint: otlpEndpoint, headers: otlpHeaders, resource, clock, log })
}

/** Where the clusters are noted, and their passwords kept. */
function clusterPlace(
  { clustersOf, ...options }: EngineHostOptions,
  { values }: LoadedSettings,
  clock: Clock,
): Partial<Pick<ClusterOpening, 'directory' | 'vault'>> {
  if (clustersOf === undefined) return {}
  const directory = dataDirectory(clustersOf)
  return { directory, vault: openVault({ directory, settings: values, clock, ...keyStoreOf(options) }) }
}

const keyStoreOf = ({ keyStore }: Pick<EngineHostOptions, 'keyStore'>): Pick<OpenVaultInput, 'keyStore'> =>
  keyStore === undefined ? {} : { keyStore }

const sandboxOf = ({ sandbox, sqlite }: EngineHostOptions): Pick<ComposeInput, 'sandbox' | 'sqlite'> => ({
  ...(sandbox === undefined ? {} : { sandbox }),
  ...(sqlite === undefined ? {} : { sqlite }),
})
