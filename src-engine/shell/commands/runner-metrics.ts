/** The metrics of a runner over HTTP, where it was asked to serve them. */

import type { Engine } from '../../runtime/engine.ts'
import type { EngineMetrics } from '../../runtime/metrics/engine-metrics.ts'
import { createEngineMetrics } from '../../runtime/metrics/engine-metrics.ts'
import { metricsText } from '../../runtime/metrics/metrics-text.ts'
import type { ReplayReport } from '../../store/redis/journal/journal-options.ts'
import type { MetricsServer } from '../metrics-server.ts'
import { startMetricsServer } from '../metrics-server.ts'
import type { CommandContext } from './command.ts'
import { usageError } from './command.ts'

const loopback = '127.0.0.1'

/** Where `--metrics-port` and `--metrics-host` say that metrics are served; null for nowhere. */
export interface MetricsPlace {
  readonly port: number
  readonly host: string
  readonly token: string
}

/** Throws `bad_request` for a port that is none, and where no token keeps strangers out. */
export function metricsPlaceOf({ flags, settings }: CommandContext): MetricsPlace | null {
  const { 'metrics-port': port, 'metrics-host': host = loopback } = flags
  if (typeof port !== 'string') {
    if (flags['metrics-host'] === undefined) return null
    throw usageError('--metrics-host needs a port.', 'Add --metrics-port N.')
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw usageError(
      `“${port}” is no port.`,
      'Write --metrics-port with a number up to 65535; 0 takes a free one.',
    )
  }
  const { metricsToken } = settings.values
  if (metricsToken === '') {
    throw usageError(
      'Metrics need a token that whoever reads them shows.',
      'Set metrics_token, for example in the environment: SAGASMITH_METRICS_TOKEN.',
    )
  }
  return { port: Number(port), host: String(host), token: metricsToken }
}

/** Counts for an engine that is to be made; `serve` begins when it is there. */
export function createRunnerMetrics(place: MetricsPlace) {
  const metrics = createEngineMetrics()
  return {
    metrics,
    /** What a cluster tells is counted. */
    clusters: { onReplayed: (report: ReplayReport) => countReplay(metrics, report) },
    serve: (engine: Engine): Promise<MetricsServer> =>
      startMetricsServer({ ...place, text: () => metricsText(metrics, engine) }),
  }
}

function countReplay({ lostOperations }: EngineMetrics, { broughtBack, there, gone }: ReplayReport): void {
  lostOperations('brought_back').add(broughtBack)
  lostOperations('decided_again').add(there)
  lostOperations('lost').add(gone.length)
}
