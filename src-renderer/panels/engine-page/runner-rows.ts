/** What the rows of runners say, and their order. Pure. */

import { CircleCheck, CirclePause, CircleSlash, ClockAlert } from 'lucide-react'
import type { RunnerRecord } from '../../../src-engine/model/runner.ts'
import type { StatusStyle } from '../../status/status-style.ts'
import { spanWords } from '../../ui/time-words.ts'

/** Two missed heartbeats of the default interval. */
const silentAfterMs = 30_000

const still = (label: string, tone: StatusStyle['tone'], icon: StatusStyle['icon']): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: false,
})
/** How a runner fares, for its row. */
export const runnerLooks = {
  working: still('Working', 'good', CircleCheck),
  draining: still('Draining', 'wait', CirclePause),
  silent: still('Silent', 'bad', ClockAlert),
  stopped: still('Stopped', 'muted', CircleSlash),
}

/** What can be said of a runner from its row. */
export function lookOfRunner(runner: RunnerRecord, now: number): StatusStyle {
  if (runner.stoppedAt !== null) return runnerLooks.stopped
  if (now - runner.heartbeatAt > silentAfterMs) return runnerLooks.silent
  return runner.drainingSince === null ? runnerLooks.working : runnerLooks.draining
}

/** Those at work first, then what needs a look, then what has stopped; newest first among equals. Pure. */
export function sortedRunners(runners: readonly RunnerRecord[], now: number): readonly RunnerRecord[] {
  const order = [runnerLooks.working, runnerLooks.draining, runnerLooks.silent, runnerLooks.stopped]
  const placeOf = (runner: RunnerRecord): number => order.indexOf(lookOfRunner(runner, now))
  return runners.toSorted((left, right) => placeOf(left) - placeOf(right) || right.startedAt - left.startedAt)
}

/** Whole seconds: the milliseconds of a heartbeat tell nobody anything. Pure. */
export function heartbeatWords(agoMs: number): string {
  if (agoMs < 1_500) return 'just now'
  return agoMs < 60_000 ? `${Math.round(agoMs / 1_000)} s ago` : `${spanWords(agoMs)} ago`
}
