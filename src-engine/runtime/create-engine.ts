/** The composition of the engine: which service gets what, and in which order they start and stop. */

import { runnerId } from '../model/ids.ts'
import type { Clock, Ids, Logger, Random } from '../model/ports.ts'
import { assert } from '../model/result.ts'
import type { ProcessIdentity } from '../model/runner.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import { defaultEngineSettings } from '../model/settings/engine-settings.ts'
import type { SourceProblem } from '../model/trigger.ts'
import type { ValidationOptions } from '../model/validation.ts'
import type { Store } from '../store/store.ts'
import { createAdmission } from './admission.ts'
import type { ChoresParts } from './atomic-service/create-chores.ts'
import { createChores } from './atomic-service/create-chores.ts'
import type { AtomicService } from './atomic-service/service.ts'
import { createStatusLook } from './atomic-service/status.ts'
import { createKeptResults } from './cache/kept-results.ts'
import { createCircuits } from './circuits/circuits.ts'
import type { Claimer } from './claimer.ts'
import { createClaimer } from './claimer.ts'
import { createClockWatch } from './clock/clock-watch.ts'
import { guardLeases } from './clock/guard-leases.ts'
import { createLeaseGate } from './clock/lease-gate.ts'
import { createSilence } from './clock/silence.ts'
import { createPauses } from './controls/pauses.ts'
import { createRunControls } from './controls/run-controls.ts'
import { createSignals } from './controls/signals.ts'
import { createCoreSlot } from './core-tasks/core-slot.ts'
import { recoverySchedules } from './core-tasks/recovery-schedules.ts'
import type { RecoveryWork } from './core-tasks/recovery-task.ts'
import { withRecoveryTask } from './core-tasks/recovery-task.ts'
import type { CustomTaskSource } from './custom-task-source.ts'
import { noCustomTasks } from './custom-task-source.ts'
import { createDeadlines } from './deadlines.ts'
import { createDefinitions } from './definitions.ts'
import type { Engine } from './engine.ts'
import type { EngineObserver } from './engine-observer.ts'
import { noObserver } from './engine-observer.ts'
import type { EngineParts, PreviewExpression } from './engine-parts.ts'
import { createExecutions } from './execution.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import type { Failpoints } from './failpoints.ts'
import { noFailpoints } from './failpoints.ts'
import type { FolderAccess } from './file-watch/folder-access.ts'
import { systemFolders } from './file-watch/folder-access.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { HeartbeatDriverMaker } from './heartbeat-driver.ts'
import { createThreadHeartbeat } from './heartbeat-thread.ts'
import { createLiveLines } from './live-lines.ts'
import { LocalEngine } from './local-engine.ts'
import type { Locks } from './locks/locks.ts'
import { createLocks } from './locks/locks.ts'
import { createMessaging } from './outbox/create-outbox.ts'
import { takeLeft } from './outbox/outbox.ts'
import type { OutputOptions } from './output-policy/create-outputs.ts'
import { createOutputs } from './output-policy/create-outputs.ts'
import { patientPayloads } from './patient-payloads.ts'
import { createPayloadStore } from './payload-store.ts'
import { createLimits } from './permits/limits.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import { createPermitLines } from './permits/permit-lines.ts'
import { nameFor } from './permits/resolve-permits.ts'
import { createTenantDesk } from './permits/tenant-desk.ts'
import { createPolicy } from './policy/create-policy.ts'
import type { RemoteKernel } from './policy/remote-kernel.ts'
import { createDrains } from './pools/drains.ts'
import { createPoolBook } from './pools/pool-book.ts'
import { createPoolDesk } from './pools/pool-desk.ts'
import { createReroutes } from './pools/reroutes.ts'
import { createReconciler } from './reconciler/reconciler.ts'
import { createReplayer } from './reconciler/replayer.ts'
import { createRecoverer } from './recoverer.ts'
import type { Recovery } from './recovery.ts'
import { createRecovery } from './recovery.ts'
import type { LoadProbe } from './routing/load-gate.ts'
import { createLoadGate, noLoadProbe } from './routing/load-gate.ts'
import { createRegistrySnapshot } from './routing/registry-snapshot.ts'
import { createRunnerBoard } from './routing/runner-board.ts'
import { createRunBook } from './run-book.ts'
import { createRunViews } from './run-views.ts'
import type { Runner, RunnerDependencies } from './runner.ts'
import { createRunner } from './runner.ts'
import { createRunnerRow } from './runner-row.ts'
import { createSlots } from './slots.ts'
import { createRunStarter } from './starting/run-starter.ts'
import { createSteering } from './steering/steering-preparer.ts'
import { redisStreams } from './streams/redis-streams.ts'
import type { StreamAccess } from './streams/stream-access.ts'
import { createCalls } from './sub-workflows/create-calls.ts'
import type { WorkflowSource } from './sub-workflows/workflow-source.ts'
import { noWorkflows } from './sub-workflows/workflow-source.ts'
import type { TaskHost } from './task-host.ts'
import { createTimers } from './timers.ts'
import { createTriggers } from './triggers/triggers.ts'
import type { DefinitionTrust, TrustSource } from './trust/definition-trust.ts'
import { createDefinitionTrust } from './trust/definition-trust.ts'
import type { ToldSecrets } from './vault/told-secrets.ts'
import { createToldSecrets } from './vault/told-secrets.ts'
import type { Vault } from './vault/vault.ts'

export interface EngineOptions extends OutputOptions {
  /** How watched folders are read; as the system has them when absent. */
  readonly folders?: FolderAccess
  /** How streams that triggers read are reached; over the network when absent. */
  readonly streams?: StreamAccess
  readonly store: Store
  readonly host: TaskHost
  readonly validation: ValidationOptions
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly log: Logger
  readonly process: {
    readonly own: ProcessIdentity
    readonly isProvenGone: (identity: ProcessIdentity) => boolean
    /** Nobody is known to run when absent. */
    readonly isProvenAlive?: (identity: ProcessIdentity) => boolean
  }
  readonly preview: PreviewExpression
  /** The defaults when absent. */
  readonly settings?: EngineSettings
  readonly failpoints?: Failpoints
  /** Claims nothing but steps of runs that it is told to resume, and does nothing else. Not when absent. */
  readonly takesWhatItResumes?: boolean
  /** Whether it does the chores in its slots: for engines that stay. Not when absent. */
  readonly canRunAtomicService?: boolean
  /** Of Sagasmith, for who looks at the runners; not told when absent. */
  readonly version?: string
  /** Nobody when absent. */
  readonly observer?: EngineObserver
  /** Where steps find other workflows by name; nowhere when absent. */
  readonly workflows?: WorkflowSource
  /** The tasks that people made; none when absent. */
  readonly customTasks?: CustomTaskSource
  /** Whether leases are renewed from a thread of their own, where the store can be reached from one. */
  readonly heartbeatThread?: boolean
  /** How busy the machine is; not known when absent. */
  readonly probe?: LoadProbe
  /** What it executes; every definition when absent. */
  readonly trust?: TrustSource
  /** Is asked about everything that the policy lets go on; nobody is when absent. */
  readonly safetyKernel?: RemoteKernel
  /** The vault whose names are told to others; nothing is told of any when absent. */
  readonly tellsSecretsOf?: Pick<Vault, 'state' | 'list'>
}

/** An engine that is not started yet. The store must be migrated. */
export function createEngine(options: EngineOptions): Engine {
  const { store, clock, log, ids, settings = defaultEngineSettings } = options
  const core: { work: RecoveryWork | null } = { work: null }
  const host = withRecoveryTask(options.host, () => assertMade(core.work))
  const partition = store.info.partitions[0] ?? 0
  const failpoints = options.failpoints ?? noFailpoints
  const trust = trustOf(options, host)
  const definitions = createDefinitions(store, partition, { specsByKind: host.specsByKind, clock, trust })
  const payloads = createPayloadStore(store, { settings, log, ids })
  const live = createLiveLines()
  const { refused } = options.observer ?? noObserver
  const admission = createAdmission(options.host.specsByKind, options.validation, refused)
  const { workflows: source = noWorkflows, customTasks = noCustomTasks } = options
  const kept = { definitions, payloads, store, partition, clock }
  const calls = createCalls({ ...kept, admission, source, customTasks })
  const watch = createClockWatch({ clock, log, gapMs: 2 * settings.heartbeatIntervalMs })
  const owner = runnerId(`runner_${ids.next()}`)
  const outputs = createOutputs({ store, partition, owner, clock, ids, log, settings, payloads }, options)
  const executor: ExecutorDependencies = {
    info: store.info,
    host,
    payloads: patientPayloads(payloads, clock),
    clock,
    deadlines: createDeadlines(clock, watch.steady),
    killGraceMs: settings.killGraceMs,
    leftBehind: ({ runId, invocationId }) => log.warn('cancel.failed', { runId, invocationId }),
    random: options.random,
    failpoints,
    ...{ live: live.add, calls: calls.preparer, outputs: outputs.judge, steering: createSteering(kept) },
    circuits: createCircuits({ store, partition, owner, clock, ids, log, nameOf: nameFor(store) }),
    kept: createKeptResults({ store, partition, owner, payloads, clock, ids, log, nameOf: nameFor(store) }),
  }
  const pools = createPoolBook({ store, partition, owner, clock, ids, log })
  const slots = createSlots(settings.maxConcurrentTasks)
  const executions = createExecutions(live.forget)
  const board = createRunnerBoard({ store, partition, runnerId: owner, clock, log, settings })
  const probe = options.probe ?? noLoadProbe
  board.onOnline((pool) => log.info('pool.online', { pool }))
  const policy = createPolicy({
    ...options,
    ...{ partition, owner, settings, executor, definitions },
    nameOf: nameFor(store),
  })
  const dependencies: RunnerDependencies = {
    store,
    partition,
    runnerId: owner,
    book: createRunBook({ store, partition, definitions, executions, clock, log }),
    slots,
    executions,
    executor,
    clock,
    watch,
    gate: createLeaseGate({ clock, watch, settings }),
    stopWanted: Promise.withResolvers(),
    log,
    settings,
    pools,
    policy,
    limits: createLimits({ store, partition, settings, pools: () => pools.rules() }),
    load: createLoadGate({ slots, settings, board, probe, own: options.process.own, runnerId: owner }),
    trust,
    ...{ hidden: outputs.hidden, takesWhatItResumes: options.takesWhatItResumes === true },
  }
  const made = { dependencies, outputs, definitions, payloads, live, admission, pins: calls.pins, board }
  const parts = partsOf(options, made)
  guardLeases(parts)
  core.work = { recovery: parts.recovery, poke: () => parts.claimer.poke() }
  return new LocalEngine(parts)
}

function trustOf(options: EngineOptions, { specsByKind }: TaskHost): DefinitionTrust | null {
  const { trust: source, store, clock, log, settings = defaultEngineSettings } = options
  if (source === undefined) return null
  const partition = store.info.partitions[0] ?? 0
  const own = recoverySchedules(settings).map(({ document }) => document)
  const ageMsMax = settings.pollIntervalMs
  return createDefinitionTrust({ source, store, partition, specsByKind, own, clock, log, ageMsMax })
}

function toldSecretsOf({ tellsSecretsOf: vault, host, clock, settings }: EngineOptions): ToldSecrets | null {
  if (vault === undefined) return null
  const { pollIntervalMs: ageMsMax } = settings ?? defaultEngineSettings
  return createToldSecrets({ vault, specsByKind: host.specsByKind, clock, ageMsMax })
}

/** Tasks run only once their engine is made. */
function assertMade(work: RecoveryWork | null): RecoveryWork {
  assert(work !== null, 'an engine runs tasks once it is made')
  return work
}

type MadeParts = Pick<
  EngineParts,
  'dependencies' | 'outputs' | 'definitions' | 'payloads' | 'live' | 'admission' | 'pins' | 'board'
>

/** What was taken from others can be claimed, and their chores may be due. */
function takeUp(claimer: Claimer, chores: AtomicService | null): void {
  claimer.poke()
  chores?.wake('lost-lease')
}

function partsOf(options: EngineOptions, made: MadeParts): EngineParts & { readonly recovery: Recovery } {
  const { dependencies } = made
  const { store, observer = noObserver } = options
  const runner = createRunner(dependencies)
  const starter = createRunStarter({ ...made, runner, observer })
  const claimer = createClaimer(dependencies, runner, () => lines)
  const lines: PermitLines = createPermitLines(dependencies, runner, () => claimer.poke())
  const { isProvenGone, isProvenAlive: isAlive = () => false } = options.process
  const silence = createSilence(dependencies)
  const recovery = createRecovery({ ...dependencies, isProvenGone, isAlive, silence }, runner)
  const secrets = toldSecretsOf(options)
  const row = rowOf({ ...options, secrets }, dependencies, runner)
  const locks = locksOf(options, dependencies)
  const { heartbeatIntervalMs: intervalMs } = dependencies.settings
  const driver = driverOf(options, dependencies)
  const heartbeat = createHeartbeat({ ...dependencies, intervalMs, driver, row, secrets })
  const { ids } = options
  const controls = createRunControls(dependencies, runner, claimer)
  const folderProblems = new Map<string, SourceProblem>()
  const triggers = createTriggers({
    ...{ ...made, starter, ids, controls, locks, folderProblems },
    changed: () => chores?.recheck(),
  })
  const chores: AtomicService | null = choresOf(options, {
    ...{ dependencies, starter, ids, isProvenGone, silence },
    beat: heartbeat.beat,
    coreSlot: createCoreSlot(dependencies, runner, () => lines),
    triggers: triggers.due,
  })
  const poke = (): void => claimer.poke()
  const messaging = createMessaging({ ...made, starter, runner, ids, poke, eventListeners: [triggers.hear] })
  return {
    ...made,
    ...messaging,
    runner,
    starter,
    recovery,
    chores,
    atomicService: createStatusLook({ ...dependencies, isProvenGone, isSilent: silence.ofRunner }),
    claimer,
    lines,
    heartbeat,
    timers: createTimers(dependencies, runner, claimer),
    recoverer: createRecoverer(dependencies, recovery, {
      recovered: () => takeUp(claimer, chores),
      gone: () => takeLeft(dependencies, messaging.outbox),
    }),
    locks,
    ticks: [
      createReconciler(dependencies, runner, locks),
      createReplayer({ dependencies, runner, poke, ...messaging, locks }),
      createReroutes(dependencies, runner, poke),
      dependencies.policy.book,
    ],
    snapshot: createRegistrySnapshot({ ...dependencies, ids, locks, row, board: made.board }),
    drains: createDrains(dependencies),
    pools: createPoolDesk(dependencies),
    tenants: createTenantDesk(dependencies, options.ids),
    pauses: createPauses(dependencies, runner),
    controls,
    triggers,
    signals: createSignals(dependencies, runner, { claimer, payloads: made.payloads, ids }),
    views: createRunViews(store, made.outputs.hidden),
    ids,
    preview: options.preview,
    observer,
    ...{ folderAccess: options.folders ?? systemFolders, folderProblems },
    streamAccess: options.streams ?? redisStreams(),
  }
}

const choresOf = ({ canRunAtomicService }: EngineOptions, parts: ChoresParts): AtomicService | null =>
  canRunAtomicService === true ? createChores(parts) : null

const rowOf = (
  options: EngineOptions & { readonly secrets: ToldSecrets | null },
  dependencies: RunnerDependencies,
  runner: Runner,
) =>
  createRunnerRow(dependencies, runner, {
    process: options.process.own,
    canRunAtomicService: options.canRunAtomicService === true,
    version: options.version ?? null,
    probe: options.probe ?? noLoadProbe,
    secrets: options.secrets,
  })

function locksOf({ store, clock, log, ids }: EngineOptions, dependencies: RunnerDependencies): Locks {
  const { partition, runnerId: owner, settings } = dependencies
  const { lockStrikesMax: strikesMax, retryDelayLockBusyMs: retryDelayMs } = settings
  return createLocks({ store, partition, owner, clock, ids, log, strikesMax, retryDelayMs })
}

function driverOf(options: EngineOptions, dependencies: RunnerDependencies): HeartbeatDriverMaker | null {
  const { store, partition, clock, log } = dependencies
  const address = store.info.renewer
  if (options.heartbeatThread !== true || address === null) return null
  return createThreadHeartbeat({ address, store, partition, clock, log })
}
