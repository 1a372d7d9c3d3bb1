/** A log whose entries are counted where they tell what a metric is about: services write them anyway. */

import type { JsonObject } from '../../model/json.ts'
import type { Logger } from '../../model/ports.ts'
import type { EngineMetrics } from './engine-metrics.ts'
import { outputCounts } from './output-metrics.ts'

type Count = (fields: JsonObject) => void

/** The same log, counted. */
export function observedLog(log: Logger, metrics: EngineMetrics): Logger {
  const counts: ReadonlyMap<string, Count> = new Map<string, Count>([
    ...outputCounts(metrics),
    ['lock.taken', ({ waitedMs }) => metrics.lockWait.observe(Number(waitedMs ?? 0) / 1_000)],
    ['lock.abandoned', () => metrics.lockAbandoned.add()],
    ['heartbeat.failed', () => metrics.heartbeatFailures.add()],
    ['heartbeat.thread-failed', () => metrics.heartbeatFailures.add()],
    ['dead-letter.failed', () => metrics.deadLetterFailures.add()],
    ['cancel.failed', () => metrics.cancelFailures.add()],
    ['replayer.replayed', ({ count }) => metrics.orphanReplayed.add(Number(count ?? 1))],
    [
      'reconciler.stale',
      ({ state, count }) =>
        metrics.staleJobs(typeof state === 'string' ? state : 'unknown').set(Number(count ?? 0)),
    ],
  ])
  const counted =
    (write: Logger['info']): Logger['info'] =>
    (event, fields) => {
      counts.get(event)?.(fields ?? {})
      write(event, fields)
    }
  return {
    debug: counted(log.debug),
    info: counted(log.info),
    warn: counted(log.warn),
    error: counted(log.error),
  }
}
