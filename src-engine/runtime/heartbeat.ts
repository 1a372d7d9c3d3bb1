/** Keeps this runner's leases alive, and learns what others want of its work. */

import { recordOfThrown } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import { runIdOf } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { EngineSettings } from '../model/settings/engine-settings.ts'
import type { Millis } from '../model/time.ts'
import type { RenewRequest, Store } from '../store/store.ts'
import type { Execution, StopReason } from './execution.ts'
import type {
  HeartbeatDriver,
  HeartbeatDriverMaker,
  HeartbeatNews,
  HeartbeatTimes,
  HeldWork,
} from './heartbeat-driver.ts'
import type { RunnerDependencies } from './runner.ts'
import type { ToldSecrets } from './vault/told-secrets.ts'

export interface Heartbeat {
  /** Writes the runner's row and renews all leases; false when that failed. */
  readonly beat: () => Promise<boolean>
  readonly start: () => void
  /** Writes that the runner stopped in an orderly way. */
  readonly stop: () => Promise<void>
}

export interface HeartbeatDependencies extends RunnerDependencies {
  readonly row: () => RunnerRecord
  readonly intervalMs: Millis
  /** Renews beside the main loop, which then only ticks; null where the main loop renews itself. */
  readonly driver: HeartbeatDriverMaker | null
  /** What the row tells of secrets; null where it tells nothing. */
  readonly secrets: ToldSecrets | null
}

/** Ticks per interval: what was held at two of them in a row is old enough to be told to the driver. */
const ticksPerInterval = 4

export function createHeartbeat(dependencies: HeartbeatDependencies): Heartbeat {
  const { clock, log, executions, settings, secrets } = dependencies
  let failures = 0
  let running = false
  let cancel: () => void = () => {}
  const beat = async (): Promise<boolean> => {
    try {
      await secrets?.refresh()
      await renew(dependencies, null)
      failures = 0
      return true
    } catch (thrown) {
      failures += 1
      log.warn('heartbeat.failed', { failures, error: recordOfThrown(thrown).message })
      if (failures < settings.heartbeatFailuresMax) return false
      for (const execution of executions.all()) execution.stop('lost')
      return false
    }
  }
  if (dependencies.driver !== null) return drivenHeartbeat(dependencies, dependencies.driver, beat)
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

/** The driver renews; when it can't, the main loop does, and its failures count. */
function drivenHeartbeat(
  dependencies: HeartbeatDependencies,
  make: HeartbeatDriverMaker,
  beat: () => Promise<boolean>,
): Heartbeat {
  const { clock, executions, executor, settings, intervalMs, secrets } = dependencies
  let seen: ReadonlySet<Execution> = new Set()
  let cancel: () => void = () => {}
  const held = (): HeldWork => {
    const now = executions.claimed()
    const leases = now.filter((execution) => seen.has(execution))
    seen = new Set(now)
    return {
      runner: dependencies.row(),
      leases: leases.map(({ invocationId, fence }) => ({ invocationId, fence })),
    }
  }
  const driver: HeartbeatDriver = make(timesOf(settings, intervalMs), (news) =>
    hear(dependencies, news, beat),
  )
  const tick = (): void => {
    cancel = clock.after(intervalMs / ticksPerInterval, () => {
      void secrets?.refresh()
      driver.progress(held())
      tick()
    })
  }
  return {
    beat,
    start: () => {
      driver.start(held())
      tick()
    },
    stop: async () => {
      cancel()
      // A renewal after the goodbye would take it back.
      await driver.stop()
      executor.failpoints('stop.before-goodbye')
      await renew(dependencies, clock.now())
    },
  }
}

const timesOf = ({ claimTtlMs, stallLimitMs }: EngineSettings, intervalMs: Millis): HeartbeatTimes => {
  return { claimTtlMs, stallLimitMs, intervalMs }
}

function hear(dependencies: HeartbeatDependencies, news: HeartbeatNews, beat: () => Promise<boolean>): void {
  const { executions, log, store } = dependencies
  if (news.kind === 'renewed') {
    for (const id of news.cancelRequested) executions.get(id)?.stop('cancel')
    if (news.lost.length > 0 && store.confirm !== undefined) void beat()
    else for (const id of news.lost) executions.get(id)?.stop('lost')
    return
  }
  if (news.kind === 'withheld') log.warn('heartbeat.withheld', { silentMs: Math.round(news.silentMs) })
  else log.warn('heartbeat.thread-failed', { inARow: news.inARow, error: news.message })
  // What was let go, or could not be renewed, is asked for at once: the fence tells what is still ours.
  void beat()
}

async function renew(dependencies: HeartbeatDependencies, stoppedAt: number | null): Promise<void> {
  const { store, partition, clock, executions, executor, settings } = dependencies
  const now = clock.now()
  executor.failpoints('renew.before')
  const held = executions.claimed()
  const stop = (ids: readonly string[], reason: StopReason): void => {
    // Not by id: meanwhile this runner may have claimed the same invocation anew.
    for (const execution of held) if (ids.includes(execution.invocationId)) execution.stop(reason)
  }
  const request: RenewRequest = {
    partition,
    runner: { ...dependencies.row(), heartbeatAt: now, stoppedAt },
    leases: held.map(({ invocationId, fence }) => ({ invocationId, fence })),
    expiresAt: now + settings.claimTtlMs,
  }
  const { lost, cancelRequested } = await store.renew(request)
  executor.failpoints('renew.after')
  stop(cancelRequested, 'cancel')
  if (lost.length > 0) stop(await surelyLost(store, request, lost), 'lost')
}

/** A failover may have taken claims back for a moment: they are asked for again once their author has brought them back. */
async function surelyLost(
  store: Store,
  request: RenewRequest,
  lost: readonly InvocationId[],
): Promise<readonly InvocationId[]> {
  if (store.confirm === undefined) return lost
  try {
    for (const runId of new Set(lost.map(runIdOf))) await store.confirm(runId)
  } catch {
    // What else is held was renewed, whoever can't confirm this.
    return lost
  }
  const leases = request.leases.filter(({ invocationId }) => lost.includes(invocationId))
  return (await store.renew({ ...request, leases })).lost
}
