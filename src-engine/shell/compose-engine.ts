/** Puts the engine together: SQLite in the data directory, the task kinds, the expressions, the echo service. */

import { storeId } from '../model/ids.ts'
import type { Clock, Ids, Logger } from '../model/ports.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import { defaultEngineSettings } from '../model/settings/engine-settings.ts'
import { createEngine } from '../runtime/create-engine.ts'
import type { Engine } from '../runtime/engine.ts'
import type { EngineObserver } from '../runtime/engine-observer.ts'
import type { Failpoints } from '../runtime/failpoints.ts'
import { createMachineLoad } from '../runtime/machine-load.ts'
import type { EngineMetrics } from '../runtime/metrics/engine-metrics.ts'
import { createEngineMetrics } from '../runtime/metrics/engine-metrics.ts'
import { observeDecision } from '../runtime/metrics/observe-decision.ts'
import { storeMetricsObserver } from '../runtime/metrics/observe-store.ts'
import { observedLog } from '../runtime/metrics/observed-log.ts'
import { observedStore } from '../runtime/observed-store.ts'
import type { OutputScanner } from '../runtime/output-policy/scan-message.ts'
import { createThreadScanner } from '../runtime/output-policy/scan-thread.ts'
import { createPreview } from '../runtime/preview.ts'
import { isProvenAlive, isProvenGone, ownProcess } from '../runtime/process-identity.ts'
import type { SealingWish } from '../runtime/sealing/open-sealing.ts'
import { withSealing } from '../runtime/sealing/open-sealing.ts'
import { createSystemIds, systemRandom } from '../runtime/system-ports.ts'
import type { CallbackUrls, TaskHost } from '../runtime/task-host.ts'
import type { SpanExporter } from '../runtime/tracing/otlp-exporter.ts'
import type { Tracer } from '../runtime/tracing/tracer.ts'
import { createTracer } from '../runtime/tracing/tracer.ts'
import type { TrustSource } from '../runtime/trust/definition-trust.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import type { ClusterEvents } from '../tasks/emit-event/cluster-events.ts'
import type { AllowedPackages } from '../tasks/javascript/packages/package-graph.ts'
import type { SandboxHost } from '../tasks/javascript/sandbox-host.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { createCodeDesk } from './code-task-file.ts'
import { composeHost } from './compose-host.ts'
import { createCustomTasks } from './custom-tasks.ts'
import type { DataDirectory } from './data-directory.ts'
import { productVersion } from './product-version.ts'
import type { SafetyKernelSettings } from './safety-kernel.ts'
import { safetyKernelOf } from './safety-kernel.ts'
import { allowedPackages, packageAbilities } from './script-packages.ts'
import { validationOptions } from './validate-json.ts'
import { createWorkflowSource } from './workflow-source.ts'

export interface ComposeInput {
  readonly directory: DataDirectory
  readonly clock: Clock
  readonly log: Logger
  /** Starts the processes of JavaScript steps; a child of this Node when absent. */
  readonly sandbox?: SandboxHost
  /** Starts the processes that work on SQLite files; a child of this Node when absent. */
  readonly sqlite?: SandboxHost
  /** The engine's defaults when absent. */
  readonly settings?: EngineSettings
  /** Whether it does the periodic chores: for processes that stay. Not when absent. */
  readonly canRunAtomicService?: boolean
  readonly metrics?: EngineMetrics
  /** Another store than the file of the data directory. */
  readonly store?: Store
  /** Puts something in front of the task kinds, such as mocks. */
  readonly hosted?: (host: TaskHost) => TaskHost
  /** Where the secrets of steps come from; steps that name some fail without it. */
  readonly vault?: Vault
  /** The addresses of steps that wait for web calls; such steps fail without it. */
  readonly callbacks?: CallbackUrls
  /** Tells events to clusters; steps that name one fail without it. */
  readonly clusterEvents?: ClusterEvents
  /** Whether others are told which secrets that vault has. Not when absent. */
  readonly tellsSecrets?: boolean
  /** Where spans go; nobody makes any when absent. */
  readonly spans?: SpanExporter
  /** What it executes; every definition when absent. */
  readonly trust?: TrustSource
  /** Names the remote safety kernel that is asked, if any; none is when absent. */
  readonly kernel?: SafetyKernelSettings
  /** For a worker that is started to crash: it claims nothing but steps of the run that it resumes. */
  readonly crash?: { readonly failpoints: Failpoints }
  /** Whether values are sealed; the vault has the keys. Written as they are when absent. */
  readonly sealing?: SealingWish
}

export interface ComposedEngine {
  /** Not started yet. */
  readonly engine: Engine
  /** Its store with values as they are kept: what is sealed stays sealed. */
  readonly kept: Store
  /** Stops the engine and everything it was made of. */
  readonly close: () => Promise<void>
}

const storeOptionsOf = ({ durability, storeOperationTimeoutMs }: EngineSettings) =>
  ({ durability, operationTimeoutMs: storeOperationTimeoutMs }) as const

/** With the sealing in front where there is one; a store that isn't to be used is closed. */
async function sealedIfWished(
  store: Store,
  given: Pick<ComposeInput, 'vault' | 'sealing' | 'clock' | 'log'> & { readonly ids: Ids },
): Promise<Store> {
  const { vault, sealing, clock, log, ids } = given
  if (vault === undefined || sealing === undefined) return store
  const { wanted, watches } = sealing
  try {
    return await withSealing({ store, vault, wanted, watches, clock, log, ids })
  } catch (thrown) {
    await store.close()
    throw thrown
  }
}

const toldOf = ({ vault, tellsSecrets }: Pick<ComposeInput, 'vault' | 'tellsSecrets'>) =>
  vault === undefined || tellsSecrets !== true ? {} : { tellsSecretsOf: vault }

const observerOf = (metrics: EngineMetrics, tracer: Tracer | null): EngineObserver => ({
  decided: (decision) => {
    observeDecision(metrics, decision)
    tracer?.decided(decision)
  },
  refused: () => metrics.validationRejections.add(),
  traceParentOf: (runId) => tracer?.traceParentOf(runId) ?? null,
})

const scannerOf = (clock: Clock, settings = defaultEngineSettings): OutputScanner =>
  createThreadScanner({ clock, limitMs: settings.outputScanTimeoutMs })

/** What a runner can do includes the packages that its code may import. */
async function withAbilities(
  settings: EngineSettings | undefined,
  packages: AllowedPackages,
): Promise<EngineSettings | undefined> {
  if (settings === undefined || packages.allowed.length === 0) return settings
  return { ...settings, capabilities: [...settings.capabilities, ...(await packageAbilities(packages))] }
}

/** Opens the store and makes an engine on it. */
export type ComposeEngine = (input: ComposeInput) => Promise<ComposedEngine>

/** The engine of the product. */
export const composeEngine: ComposeEngine = async ({ directory, clock, sandbox, ...watched }) => {
  const packages = allowedPackages(watched.settings ?? defaultEngineSettings, directory.root)
  const settings = await withAbilities(watched.settings, packages)
  const metrics = watched.metrics ?? createEngineMetrics()
  const tracer = watched.spans === undefined ? null : createTracer(watched.spans.add)
  const log = observedLog(watched.log, metrics)
  const ids = createSystemIds(clock)
  const file =
    watched.store ??
    (await openSqliteStore({
      directory: directory.root,
      storeId: storeId(`store_${ids.next()}`),
      clock,
      random: systemRandom,
      onGroup: metrics.commitGroupSize.observe,
      ...(settings === undefined ? {} : storeOptionsOf(settings)),
    }))
  const observers = [storeMetricsObserver(metrics), ...(tracer === null ? [] : [tracer])]
  const store = observedStore(await sealedIfWished(file, { ...watched, clock, log, ids }), observers, clock)
  const {
    host,
    expressions,
    close: closeHost,
  } = composeHost({
    clock,
    sandbox,
    sqlite: watched.sqlite,
    vault: watched.vault,
    callbacks: watched.callbacks,
    clusterEvents: watched.clusterEvents,
    packages,
  })
  const scanner = scannerOf(clock, settings)
  const customTasks = createCustomTasks(directory.tasks, createCodeDesk({ sandbox, clock }))
  const engine = createEngine({
    store,
    host: watched.hosted?.(host) ?? host,
    validation: validationOptions,
    workflows: createWorkflowSource(directory.workflows, customTasks),
    customTasks,
    clock,
    random: systemRandom,
    ids,
    log,
    process: { own: ownProcess(), isProvenGone, isProvenAlive },
    heartbeatThread: watched.store === undefined,
    probe: createMachineLoad(clock),
    canRunAtomicService: watched.canRunAtomicService === true,
    version: productVersion(),
    preview: createPreview({ ...host, specsByKind: taskSpecsByKind }, expressions),
    scanner,
    observer: observerOf(metrics, tracer),
    ...(settings === undefined ? {} : { settings }),
    ...(watched.trust === undefined ? {} : { trust: watched.trust }),
    ...toldOf(watched),
    ...safetyKernelOf(watched.kernel),
    ...(watched.crash === undefined ? {} : { ...watched.crash, takesWhatItResumes: true }),
  })
  const close = async (): Promise<void> => {
    await engine.stop()
    try {
      await Promise.all([closeHost(), scanner.close()])
    } finally {
      // Whatever else goes wrong, the data is closed in an orderly way.
      await store.close()
    }
  }
  return { engine, kept: file, close }
}
