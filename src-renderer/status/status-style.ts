/**
 * What a status looks like: one tone, one icon and one word each, so that colour is never alone. The only
 * place where statuses get a look; a new status doesn't compile until it has a row here.
 */

import type { LucideIcon } from 'lucide-react'
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  ClockAlert,
  DatabaseZap,
  Hourglass,
  ListPlus,
  LoaderCircle,
  OctagonPause,
  Pin,
  RotateCcw,
  ShieldAlert,
  ShieldQuestion,
  Undo2,
  Unplug,
  Wrench,
} from 'lucide-react'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'

/** Named like the `--tone-…` tokens. */
export type Tone = 'neutral' | 'active' | 'good' | 'wait' | 'bad' | 'muted' | 'repair' | 'violet'

export interface StatusStyle {
  /** One or two words in sentence case. */
  readonly label: string
  readonly tone: Tone
  readonly icon: LucideIcon
  /** Whether something is going on right now: the icon turns, the ring moves. */
  readonly isMoving: boolean
}

const still = (label: string, tone: Tone, icon: LucideIcon): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: false,
})
const moving = (label: string, tone: Tone, icon: LucideIcon): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: true,
})

/** What was going on at the time: nothing is any more, so it neither moves nor has the tone of what does. */
export const asItWas = (style: StatusStyle): StatusStyle =>
  style.isMoving ? { ...style, tone: 'neutral', isMoving: false } : style

export const invocationStyle: Readonly<Record<InvocationStatus, StatusStyle>> = {
  REGISTERED: still('Queued', 'neutral', ListPlus),
  REROUTED: still('Queued again', 'neutral', ListPlus),
  RETRY: still('Retrying', 'wait', RotateCcw),
  CONCURRENCY_CONTROLLED: still('Held back', 'wait', Hourglass),
  APPROVAL_REQUIRED: still('Needs you', 'violet', ShieldQuestion),
  PENDING: still('Claimed', 'active', CircleDot),
  RUNNING: moving('Running', 'active', LoaderCircle),
  PAUSED: still('Paused', 'wait', CirclePause),
  RESUMED: moving('Running', 'active', LoaderCircle),
  WAITING: still('Waiting', 'wait', Hourglass),
  KILLED: still('Handed back', 'repair', Unplug),
  PENDING_RECOVERY: moving('Recovering', 'repair', Wrench),
  RUNNING_RECOVERY: moving('Recovering', 'repair', Wrench),
  CANCELLED: still('Cancelled', 'muted', Ban),
  TIMEOUT: still('Timed out', 'bad', ClockAlert),
  FAILED: still('Failed', 'bad', CircleX),
  DENIED: still('Denied', 'bad', ShieldAlert),
  CONCURRENCY_CONTROLLED_FINAL: still('Not admitted', 'muted', CircleSlash),
  SUCCESS: still('Done', 'good', CircleCheck),
  OUTPUT_QUARANTINED: still('Quarantined', 'bad', ShieldAlert),
}

export const runStyle: Readonly<Record<RunStatus, StatusStyle>> = {
  CREATED: still('Starting', 'neutral', ListPlus),
  RUNNING: moving('Running', 'active', LoaderCircle),
  WAITING: still('Waiting', 'wait', Hourglass),
  PAUSED: still('Paused', 'wait', CirclePause),
  COMPENSATING: moving('Undoing', 'repair', Undo2),
  COMPENSATION_FAILED: still('Undo failed', 'bad', CircleX),
  SUCCEEDED: still('Succeeded', 'good', CircleCheck),
  FAILED: still('Failed', 'bad', CircleX),
  CANCELLED: still('Cancelled', 'muted', Ban),
  TIMED_OUT: still('Timed out', 'bad', ClockAlert),
  DENIED: still('Denied', 'bad', ShieldAlert),
  COMPENSATED: still('Undone', 'repair', Undo2),
  ABANDONED: still('Abandoned', 'muted', CircleSlash),
}

/** A node that this run will not execute. */
export const skippedStyle: StatusStyle = still('Skipped', 'muted', CircleDashed)
/** A step for which a result of an earlier run stood. */
export const cachedStyle: StatusStyle = still('From cache', 'good', DatabaseZap)
/** A retry whose delay has not passed. */
export const backoffStyle: StatusStyle = still('Backing off', 'wait', RotateCcw)
/** A run that has not begun: others have the room that it needs. */
export const queuedRunStyle: StatusStyle = still('In line', 'wait', Hourglass)
/** Asked to pause, and something of it is still under way. */
export const pausingStyle: StatusStyle = moving('Pausing …', 'wait', LoaderCircle)
/** Set aside by a pause while it was queued or waited. */
export const heldStyle: StatusStyle = still('Paused', 'wait', CirclePause)
/** It stands before this step because of a breakpoint, or after a step. */
export const stoppedStyle: StatusStyle = still('Stopped here', 'bad', OctagonPause)
/** What undoes a step, while it is at it and afterwards. */
export const undoStyle = {
  queued: still('To be undone', 'repair', Undo2),
  active: moving('Undoing', 'repair', LoaderCircle),
  done: still('Undone', 'repair', Undo2),
  failed: still('Undo failed', 'bad', CircleX),
  left: still('Left behind', 'wait', Pin),
} as const satisfies Readonly<Record<string, StatusStyle>>
/** What would undo a step, while nothing is undone. */
export const recordedStyle: StatusStyle = still('Can be undone', 'neutral', Undo2)
/** A step whose owner was asked to stop. */
export const stoppingStyle: StatusStyle = moving('Stopping', 'muted', LoaderCircle)
