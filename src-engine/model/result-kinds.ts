/** Kinds by where their results come from: settings that look at the result of an attempt aren't for all of them. */

import { breakLoopKind, nextTurnKind } from './containers.ts'

/** Their result comes from elsewhere once a wait is over: no attempt gives it. */
const givingLater: ReadonlySet<string> = new Set([
  'approval',
  'delay',
  'sub-workflow',
  'wait-signal',
  'wait-webhook',
])

/** They steer the run or tell others something: what they hand on is not what they are for. */
const steering: ReadonlySet<string> = new Set([
  breakLoopKind,
  'circuit-breaker',
  'emit-event',
  'fork',
  'join',
  'loop',
  'map',
  nextTurnKind,
  'noop',
  'semaphore',
  'stop',
  'throttle',
])

/** Whether a result of an earlier run may stand for running it. */
export const isReplaceable = (kind: string): boolean => !givingLater.has(kind) && !steering.has(kind)
