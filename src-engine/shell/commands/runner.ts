/**
 * `runner`: one more process that works for a data file or a cluster. It doesn't hold the data directory: the
 * designer, a `serve` and any number of runners work on one file, and the file decides between them.
 */

import { existsSync } from 'node:fs'
import { safetyText } from '../../model/failover-safety.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { TrustPolicy } from '../../model/trust.ts'
import type { Engine } from '../../runtime/engine.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { TrustSource } from '../../runtime/trust/definition-trust.ts'
import { isClusterAddress } from '../clusters/cluster-address.ts'
import { createClusterDesk } from '../clusters/cluster-desk.ts'
import { createClusterEvents } from '../clusters/cluster-events.ts'
import { openCluster } from '../clusters/open-cluster-store.ts'
import type { ComposedEngine } from '../compose-engine.ts'
import type { DataDirectory } from '../data-directory.ts'
import { createDataDirectory, dataDirectory } from '../data-directory.ts'
import { createFileLogger } from '../log.ts'
import type { MetricsServer } from '../metrics-server.ts'
import { createTrustListFile, trustListOf } from '../trust-list.ts'
import { openVault } from '../vault.ts'
import { createCallbackUrls } from '../webhooks/callback-urls.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { createRunnerMetrics, metricsPlaceOf } from './runner-metrics.ts'
import type { RunnerSourcesInput } from './runner-sources.ts'
import { openRunnerSources } from './runner-sources.ts'
import { directoryOfStore } from './runner-store.ts'

/** How long steps may go on after the first signal when nobody says otherwise. */
const graceMs: Millis = 10 * second

export const runnerCommand: Command = {
  usage:
    'runner [--store sqlite:PATH|redis://…] [--pool A,B] [--concurrency N] [--labels K=V,…] [--trust POLICY] [--webhooks] [--folders] [--streams] [--seal] [--grace T] [--json]',
  summary: 'Work for a data file or a cluster, beside other runners.',
  options: {
    store: { type: 'string' },
    pool: { type: 'string' },
    concurrency: { type: 'string' },
    labels: { type: 'string' },
    grace: { type: 'string' },
    trust: { type: 'string' },
    seal: { type: 'boolean' },
    webhooks: { type: 'boolean' },
    folders: { type: 'boolean' },
    streams: { type: 'boolean' },
    'metrics-port': { type: 'string' },
    'metrics-host': { type: 'string' },
    'log-level': { type: 'string' },
  },
  optionHelp: [
    ['--store sqlite:PATH', 'the data file or its directory (default: the data directory)'],
    ['--store redis://…', 'a cluster; `--cluster NAME` for one that has a name'],
    ['--pool A,B', 'the pools to take work of (default: default)'],
    ['--concurrency N', 'how many steps at once (default: 16)'],
    ['--labels K=V,…', 'what the placement of steps compares with'],
    ['--trust POLICY', 'all (default), approved or signed: which definitions it executes; see `trust`'],
    [
      '--webhooks',
      'listen for web calls; runners of a cluster need the same webhook_key to have one address',
    ],
    ['--folders', 'watch the folders of file triggers: on machines that see the same files there'],
    ['--streams', 'read the streams of stream triggers: on machines that reach their servers'],
    ['--seal', 'have the workspace seal its values from now on, for everybody; see `seal`'],
    ['--grace T', 'how long steps may go on after SIGTERM or Ctrl-C (default: 10s); a second one ends it'],
    ['--metrics-port N', 'serve /metrics on that port of this machine; wants the setting metrics_token'],
    ['--metrics-host H', 'the address to serve them at (default: 127.0.0.1)'],
    ['--log-level LEVEL', 'debug, info, warn or error (default: info)'],
    ['exit codes', '0 ended on request, work handed back; 1 failed, or a third signal; 2 bad usage'],
  ],
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { settings } = context
    const place = placeOf(context)
    const { directory } = place
    checkLabels(settings.engine.labels)
    const metricsPlace = metricsPlaceOf(context)
    const signals = listen(context)
    const isNew = place.cluster === null && !existsSync(directory.database)
    createDataDirectory(directory)
    const { logLevel, logFormat } = settings.values
    const log = createFileLogger(directory.logs, { level: logLevel, format: logFormat }, systemClock)
    try {
      const vault = openVault({ directory, settings: settings.values, clock: systemClock })
      const counted = metricsPlace === null ? null : createRunnerMetrics(metricsPlace)
      const store =
        place.cluster === null
          ? null
          : await openCluster(
              { settings, directory, vault, clock: systemClock, log, ...counted?.clusters },
              place.cluster,
            )
      const { composeEngine } = await import('../compose-engine.ts')
      const callbacks = createCallbackUrls({
        settings: settings.values,
        keyFile: directory.webhookKey,
        isOneMachine: place.cluster === null,
        clock: systemClock,
      })
      const clusters = createClusterDesk({ settings, directory, vault, clock: systemClock, log })
      const composed = await composeEngine({
        callbacks,
        clusterEvents: createClusterEvents(clusters),
        directory,
        clock: systemClock,
        log,
        settings: settings.engine,
        kernel: settings.values,
        canRunAtomicService: true,
        vault,
        // A data file is worked on by this machine: nobody pushes to it.
        tellsSecrets: place.cluster !== null && settings.values.tellSecrets,
        sealing: { wanted: settings.values.sealPayloads || context.flags['seal'] === true, watches: true },
        ...(store === null ? {} : { store }),
        ...(counted === null ? {} : { metrics: counted.metrics }),
        ...trustOf(settings.values.trust, directory.trust),
      })
      const { engine } = composed
      await refuseWithoutKey(composed)
      let served: MetricsServer | null = null
      try {
        served = (await counted?.serve(engine)) ?? null
        if (place.cluster !== null) warnOfTrust(context)
        const metricsUrl = served?.url ?? null
        const worksFor = place.cluster ?? directory.root
        const sources = { engine, directory, vault, log, callbacks }
        await work(context, { engine, signals, worksFor, isNew, metricsUrl, sources })
      } finally {
        await served?.close()
        await composed.close()
        await clusters.close()
      }
      say(context, { type: 'runner.stopped', runnerId: engine.runnerId }, 'stopped')
    } finally {
      await log.close()
    }
    return 0 satisfies ExitCode
  },
}

/** The data directory, which holds its log and its secrets too; or a cluster, with those at the usual place. */
function placeOf({ settings, flags }: CommandContext): {
  readonly directory: DataDirectory
  readonly cluster: string | null
} {
  const meant = flags['cluster'] ?? flags['store']
  const isCluster = typeof meant === 'string' && (flags['cluster'] === meant || isClusterAddress(meant))
  const root = isCluster ? settings.values.data : directoryOfStore(meant, settings.values.data)
  return { directory: dataDirectory(root), cluster: isCluster ? meant : null }
}

/** Read again and again while it works: what is approved meanwhile counts. */
function trustOf(policy: TrustPolicy, path: string): { readonly trust?: TrustSource } {
  if (policy === 'all') return {}
  const file = createTrustListFile(path)
  return { trust: { policy, read: async () => trustListOf(await file.read()) } }
}

/** It could execute nothing: whoever started it is to hear that, not to wonder. */
async function refuseWithoutKey({ engine, close }: ComposedEngine): Promise<void> {
  const problem = engine.store.sealing?.problem() ?? null
  if (problem === null) return
  await close()
  throw problem
}

function warnOfTrust({ settings, terminal, json }: CommandContext): void {
  if (settings.values.trust !== 'all' || json) return
  terminal.errorLine(
    terminal.colors.yellow(
      'It executes whatever is published there: --trust approved or signed limits that.',
    ),
  )
}

/** A label without a value would match nothing, and nobody would hear of it. */
function checkLabels(labels: readonly string[]): void {
  const wrong = labels.find((label) => label.indexOf('=') < 1)
  if (wrong === undefined) return
  throw usageError(`“${wrong}” is no label.`, 'Write name=value, separated by commas: --labels zone=attic.')
}

interface Working {
  readonly engine: Engine
  readonly signals: Signals
  /** The data directory or the cluster. */
  readonly worksFor: string
  /** Nobody had worked there: a mistyped path looks like this. */
  readonly isNew: boolean
  /** Null when it serves none. */
  readonly metricsUrl: string | null
  readonly sources: Omit<RunnerSourcesInput, 'context' | 'say'>
}

/** Works until the first signal, then lets what is under way end; what is left is handed back on close. */
async function work(context: CommandContext, working: Working): Promise<void> {
  const { engine, signals, worksFor, isNew, metricsUrl, sources } = working
  const { pools, labels, maxConcurrentTasks: slots } = context.settings.engine
  const { runnerId } = engine
  const { safety } = engine.store.info
  await engine.start()
  say(
    context,
    {
      type: 'runner.started',
      runnerId,
      pid: process.pid,
      dataDirectory: worksFor,
      pools,
      labels,
      slots,
      recovered: engine.recoveredCount,
      ...(safety === null ? {} : { safety: { ...safety } }),
      ...(metricsUrl === null ? {} : { metricsUrl }),
    },
    `works for ${worksFor}${isNew ? ' (new: no data was there)' : ''}: pools ${pools.join(', ')}, ${slots} steps at once${safety === null ? '' : `. ${safetyText(safety)}`}${metricsUrl === null ? '' : ` Metrics: ${metricsUrl}`}`,
  )
  const closeSources = await openRunnerSources({
    ...sources,
    context,
    say: (line, words) => say(context, { ...line, runnerId }, words),
  })
  const timedOut = engine.stopWanted.then(() => 'stop_worker_on_timeout' as const)
  const signal = await Promise.race([signals.first, timedOut])
  // Others take the calls from here on: whoever drains begins nothing new.
  await closeSources()
  const span = graceOf(context)
  const active = engine.load().active
  say(
    context,
    { type: 'runner.draining', runnerId, signal, active, graceMs: span },
    `takes no new work and waits up to ${span / second} s for ${active} running steps (${signal})`,
  )
  const enough = new AbortController()
  const cancelTimer = systemClock.after(span, () => enough.abort())
  void signals.second.then(() => enough.abort())
  await engine.drain(enough.signal)
  cancelTimer()
  const left = engine.load().active
  if (left > 0) {
    say(context, { type: 'runner.handing-back', runnerId, active: left }, `hands back ${left} running steps`)
  }
}

/** The setting has 0 for engines that end with their window; a runner is patient unless told otherwise. */
function graceOf({ settings }: CommandContext): Millis {
  const report = settings.reports.find(({ name }) => name === 'stop_grace')
  return report === undefined || report.source === 'default' ? graceMs : settings.engine.stopGraceMs
}

function say(context: CommandContext, line: JsonObject & { readonly runnerId: string }, words: string): void {
  if (context.json) context.emit(line)
  else context.terminal.line(`${context.terminal.colors.dim(line.runnerId)} ${words}`)
}

interface Signals {
  readonly first: Promise<'SIGINT' | 'SIGTERM'>
  readonly second: Promise<'SIGINT' | 'SIGTERM'>
}

/** The third signal ends the process on the spot; others take over what it had, as after a crash. */
function listen(context: CommandContext): Signals {
  const first = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  const second = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  let count = 0
  context.onInterrupt((signal) => {
    count += 1
    if (count > 2) process.exit(1)
    ;(count === 1 ? first : second).resolve(signal)
  })
  return { first: first.promise, second: second.promise }
}
