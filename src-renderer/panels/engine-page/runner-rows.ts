/** What the rows of runners say, and their order. Pure. */

import { CircleCheck, CirclePause, CircleSlash, ClockAlert, Unplug } from 'lucide-react'
import type { RunnerRecord } from '../../../src-engine/model/runner.ts'
import type { RunnerStanding } from '../../../src-engine/protocol/runner-standing.ts'
import type { StatusStyle } from '../../status/status-style.ts'
import { fill, standings } from '../../text/messages.ts'
import { instantWords, spanWords } from '../../ui/time-words.ts'

/** Two missed heartbeats of the default interval. */
const silentAfterMs = 30_000

const still = (label: string, tone: StatusStyle['tone'], icon: StatusStyle['icon']): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: false,
})
/** How a runner fares, for its row. */
const runnerLooks = {
  working: still('Working', 'good', CircleCheck),
  draining: still('Draining', 'wait', CirclePause),
  silent: still('Silent', 'bad', ClockAlert),
  lost: still('Lost', 'bad', Unplug),
  stopped: still('Stopped', 'muted', CircleSlash),
}

/**
 * Whether it ended without a word. Who stops says so with a last heartbeat; of who doesn't, others write down
 * later that it is gone.
 */
const wasLost = ({ stoppedAt, heartbeatAt }: RunnerRecord): boolean =>
  stoppedAt !== null && heartbeatAt < stoppedAt

/** Since when it is as it is, where that is told: `for 3 min`, or when it was last heard. */
export function sinceWords(runner: RunnerRecord, now: number): string | null {
  const look = lookOfRunner(runner, now)
  const { drainingSince, heartbeatAt, stoppedAt } = runner
  if (look === runnerLooks.draining && drainingSince !== null)
    return `for ${spanWords(Math.max(0, now - drainingSince))}`
  if (look === runnerLooks.lost || look === runnerLooks.silent)
    return fill(standings.lastHeard, { when: instantWords(heartbeatAt, now) })
  return look === runnerLooks.stopped && stoppedAt !== null ? instantWords(stoppedAt, now) : null
}

/** What can be said of a runner from its row. */
export function lookOfRunner(runner: RunnerRecord, now: number): StatusStyle {
  if (runner.stoppedAt !== null) return wasLost(runner) ? runnerLooks.lost : runnerLooks.stopped
  if (now - runner.heartbeatAt > silentAfterMs) return runnerLooks.silent
  return runner.drainingSince === null ? runnerLooks.working : runnerLooks.draining
}

/** Those at work first, then what needs a look, then what has stopped; newest first among equals. Pure. */
export function sortedRunners(runners: readonly RunnerRecord[], now: number): readonly RunnerRecord[] {
  const order = [
    runnerLooks.working,
    runnerLooks.draining,
    runnerLooks.silent,
    runnerLooks.lost,
    runnerLooks.stopped,
  ]
  const placeOf = (runner: RunnerRecord): number => order.indexOf(lookOfRunner(runner, now))
  return runners.toSorted((left, right) => placeOf(left) - placeOf(right) || right.startedAt - left.startedAt)
}

/** Whole seconds: the milliseconds of a heartbeat tell nobody anything. Pure. */
export function heartbeatWords(agoMs: number): string {
  if (agoMs < 1_500) return 'just now'
  return agoMs < 60_000 ? `${Math.round(agoMs / 1_000)} s ago` : `${spanWords(agoMs)} ago`
}

/** How much more a runner takes, or what keeps it from more. Pure. */
export const standingWords = ({ room, held }: RunnerStanding): string =>
  held === null ? fill(standings.room, { count: room }) : standings[held]

/** How much more all of them take. Pure. */
export function roomWords(all: readonly RunnerStanding[]): string {
  const room = all.reduce((sum, one) => sum + one.room, 0)
  return room === 0 ? standings.noRoom : fill(standings.room, { count: room })
}
