/**
 * When others are given up. By its time alone nobody is: a wall clock that was set, or that differs from
 * another's, says a lease is over while its owner renews it. So their silence must have been seen as well;
 * and who is silent for very long is gone, even if the clock went back and its lease seems to last for hours.
 */

import type { InvocationRecord } from '../../model/invocation.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import type { ClockWatch } from './clock-watch.ts'
import { createSightings } from './sightings.ts'

/** What was heard of owners and runners. */
export interface Silence {
  /** Whether the owner has not renewed for so long that its expired lease really is over. */
  readonly confirms: (record: InvocationRecord) => boolean
  /** Sees everything that is owned; answers with what was not renewed for so long that no clock matters. */
  readonly observe: (owned: readonly InvocationRecord[]) => readonly InvocationRecord[]
  /** Whether a runner's heartbeat is too old; also to be asked of those of whom it is known. */
  readonly ofRunner: (runner: Pick<RunnerRecord, 'id' | 'heartbeatAt'>) => boolean
}

export interface SilenceOptions {
  readonly clock: Clock
  readonly watch: ClockWatch
  readonly settings: Pick<EngineSettings, 'claimTtlMs' | 'heartbeatIntervalMs' | 'runnerDeadAfterMs'>
}

/** Renewals that a living owner has made by then, looks of this process in between included. */
const heartbeatsMissed = 3

export function createSilence({ clock, watch, settings }: SilenceOptions): Silence {
  const { claimTtlMs, heartbeatIntervalMs, runnerDeadAfterMs } = settings
  const graceMs: Millis = Math.min(claimTtlMs, heartbeatsMissed * heartbeatIntervalMs)
  const goneMs: Millis = Math.max(claimTtlMs, runnerDeadAfterMs)
  const leases = createSightings(watch.steady)
  const runners = createSightings(watch.steady)
  const silentMs = ({ id, lease }: InvocationRecord): Millis =>
    lease === null ? 0 : leases.unchangedFor(id, `${lease.fence.counter}/${lease.expiresAt}`)
  return {
    confirms: (record) => silentMs(record) >= graceMs,
    observe: (owned) => {
      leases.keep(new Set(owned.map(({ id }) => id)))
      return owned.filter((record) => silentMs(record) >= goneMs)
    },
    ofRunner: ({ id, heartbeatAt }) => {
      const isNew = runners.isNew(id)
      const silent = runners.unchangedFor(id, String(heartbeatAt))
      if (silent >= runnerDeadAfterMs) return true
      // Who is met for the first time can only be judged by the clock.
      return clock.now() - heartbeatAt > runnerDeadAfterMs && (isNew || silent >= graceMs)
    },
  }
}
