/** Keeps this runner's leases alive, and learns what others want of its work. */

import { recordOfThrown } from '../model/errors.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Millis } from '../model/time.ts'
import type { StopReason } from './execution.ts'
import type { RunnerDependencies } from './runner.ts'

export interface Heartbeat {
  /** Writes the runner's row and renews all leases. */
  readonly beat: () => Promise<void>
  readonly start: () => void
  /** Writes that the runner stopped in an orderly way. */
  readonly stop: () => Promise<void>
}

export interface HeartbeatDependencies extends RunnerDependencies {
  readonly row: () => RunnerRecord
  readonly intervalMs: Millis
}

export function createHeartbeat(dependencies: HeartbeatDependencies): Heartbeat {
  const { clock, log, executions, settings } = dependencies
  let failures = 0
  let running = false
  let cancel: () => void = () => {}
  const beat = async (): Promise<void> => {
    try {
      await renew(dependencies, null)
      failures = 0
    } catch (thrown) {
      failures += 1
      log.warn('heartbeat.failed', { failures, error: recordOfThrown(thrown).message })
      if (failures < settings.heartbeatFailuresMax) return
      for (const execution of executions.all()) execution.stop('lost')
    }
  }
  const later = (): void => {
    cancel = clock.after(dependencies.intervalMs, () => {
      void beat().finally(() => {
        if (running) later()
      })
    })
  }
  return {
    beat,
    start: () => {
      running = true
      later()
    },
    stop: async () => {
      running = false
      cancel()
      dependencies.executor.failpoints('stop.before-goodbye')
      await renew(dependencies, clock.now())
    },
  }
}

async function renew(dependencies: HeartbeatDependencies, stoppedAt: number | null): Promise<void> {
  const { store, partition, clock, executions, executor, settings } = dependencies
  const now = clock.now()
  executor.failpoints('renew.before')
  const held = executions.all()
  const stop = (ids: readonly string[], reason: StopReason): void => {
    // Not by id: meanwhile this runner may have claimed the same invocation anew.
    for (const execution of held) if (ids.includes(execution.invocationId)) execution.stop(reason)
  }
  const { lost, cancelRequested } = await store.renew({
    partition,
    runner: { ...dependencies.row(), heartbeatAt: now, stoppedAt },
    leases: held.map(({ invocationId, fence }) => ({ invocationId, fence })),
    expiresAt: now + settings.claimTtlMs,
  })
  executor.failpoints('renew.after')
  stop(lost, 'lost')
  stop(cancelRequested, 'cancel')
}
